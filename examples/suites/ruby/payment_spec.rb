# frozen_string_literal: true

require "stringio"
require_relative "emulator"
require_relative "receiver"
require_relative "shop"

RSpec.describe Shop do
  let(:emulator) { Emulator.anew }
  let(:shop) { Shop.new(emulator.url, emulator.api_key) }

  # Hands the receiver of the shop what was collected. Returns the answers, when the shop has done its work.
  def receive(collector)
    emulator.webhooks(collector).map do |webhook|
      done = Queue.new
      receiver = Webhooks.new([collector["secret"]]) { |event| done << shop.handle(event) }
      status, = receiver.call(
        "REQUEST_METHOD" => "POST", "PATH_INFO" => "/webhooks",
        "HTTP_X_QA_SIGNATURE" => webhook["headers"]["x-qa-signature"],
        "rack.input" => StringIO.new(webhook["body"])
      )
      done.pop if status == 204
      status
    end
  end

  it "marks an order as paid when the webhook says so" do
    collector = emulator.collect("charge.paid")
    emulator.pay(shop.buy("order-1", 1990))
    expect(shop.orders).to eq("order-1" => "open")
    expect(receive(collector)).to eq([204])
    expect(shop.orders).to eq("order-1" => "paid")
  end

  it "cancels an order when its charge expires" do
    collector = emulator.collect("charge.expired")
    shop.buy("order-1", 1990)
    emulator.advance(24 * 60 * 60)
    expect(receive(collector)).to eq([204])
    expect(shop.orders).to eq("order-1" => "cancelled")
  end
end
