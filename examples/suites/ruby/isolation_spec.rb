# frozen_string_literal: true

require_relative "emulator"
require_relative "shop"

RSpec.describe Emulator do
  2.times do
    it "is empty when a test begins" do
      emulator = Emulator.anew
      expect(emulator.call(:get, "/v1/payments")["total"]).to eq(0)
      Shop.new(emulator.url, emulator.api_key).buy("order-1", 1990)
      expect(emulator.call(:get, "/v1/payments")["total"]).to eq(1)
    end
  end
end
