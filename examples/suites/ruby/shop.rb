# frozen_string_literal: true

require "json"
require "net/http"

# A shop that takes Pix: what the specs of this folder test.
class Shop
  STATES = { "charge.paid" => "paid", "charge.expired" => "cancelled" }.freeze

  attr_reader :orders

  def initialize(base_url, api_key)
    @base_url = base_url
    @api_key = api_key
    @orders = {}
  end

  # Places an order of so many centavos. Returns the id of its charge.
  def buy(order, amount)
    headers = { "apikey" => @api_key, "Content-Type" => "application/json", "Idempotency-Key" => "charge-for-#{order}" }
    body = JSON.generate(amount: amount, payment_method: "pix", metadata: { order: order })
    answer = Net::HTTP.post(URI("#{@base_url}/v1/charges"), body, headers)
    raise answer.body unless answer.is_a?(Net::HTTPSuccess)

    @orders[order] = "open"
    JSON.parse(answer.body)["id"]
  end

  # Handles an event that the receiver has verified.
  def handle(event)
    state = STATES[event[:type]]
    @orders[event.dig(:data, :object, :metadata, :order)] = state if state
  end
end
