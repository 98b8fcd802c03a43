# frozen_string_literal: true

# The receiver, tested without a server: `qa-pay` makes and signs the webhooks.

require "json"
require "open3"
require "stringio"
require_relative "receiver"

RSpec.describe Webhooks do
  secret = "5a" * 32
  wrong_secret = "6b" * 32

  def qa_pay(*words, input: "")
    output, status = Open3.capture2("qa-pay", *words, stdin_data: input)
    raise "qa-pay #{words.join(" ")} ended with #{status.exitstatus}" unless status.success?

    output
  end

  before(:context) { @paid = qa_pay("webhooks", "sample", "charge.paid") }

  # Headers and body of the event, as the service sends them.
  def signed(secret, *flags)
    JSON.parse(qa_pay("webhooks", "sign", "--secret", secret, "--json", *flags, input: @paid))
  end

  # What the receiver answers, and the event that it works on; nil when it refuses.
  define_method(:receive) do |webhook|
    events = Queue.new
    status, = Webhooks.new([secret]) { |event| events << event }.call(
      "REQUEST_METHOD" => "POST", "PATH_INFO" => "/webhooks",
      "HTTP_X_QA_SIGNATURE" => webhook["headers"]["x-qa-signature"],
      "rack.input" => StringIO.new(webhook["body"])
    )
    [status, status == 204 ? events.pop : nil]
  end

  it "believes a genuine webhook" do
    status, event = receive(signed(secret))
    expect([status, event[:type], event.dig(:data, :object, :status)]).to eq([204, "charge.paid", "paid"])
  end

  it "refuses a webhook with another secret" do
    expect(receive(signed(wrong_secret))).to eq([400, nil])
  end

  it "refuses a webhook that was recorded long ago" do
    expect(receive(signed(secret, "--at", "2020-01-01T00:00:00Z"))).to eq([400, nil])
  end

  it "refuses a webhook with a changed body" do
    webhook = signed(secret)
    webhook["body"] = webhook["body"].sub("paid", "PAID")
    expect(receive(webhook)).to eq([400, nil])
  end
end
