# frozen_string_literal: true

# Creates a Pix charge with nothing but Ruby: QA_PAY_BASE_URL=... QA_PAY_API_KEY=... ruby create_charge.rb
require "json"
require "net/http"

TRIES = 3
LOST = [SystemCallError, SocketError, IOError, Timeout::Error].freeze

# Creates a charge. The order names it: a repetition answers the same charge and makes no second one.
def create_charge(order_id, amount, customer)
  uri = URI("#{ENV.fetch("QA_PAY_BASE_URL")}/v1/charges")
  headers = {
    "apikey" => ENV.fetch("QA_PAY_API_KEY"),
    "Content-Type" => "application/json",
    "Idempotency-Key" => "charge-for-#{order_id}"
  }
  body = JSON.generate(amount: amount, payment_method: "pix", customer: customer, metadata: { order: order_id })
  attempt = 0
  begin
    attempt += 1
    options = { use_ssl: uri.scheme == "https", open_timeout: 10, read_timeout: 10 }
    response = Net::HTTP.start(uri.host, uri.port, **options) { |http| http.post(uri.path, body, headers) }
    raise IOError, "the service answered #{response.code}" if response.code.to_i >= 500
  rescue *LOST # whether it was created is unknown, so send it again
    retry if attempt < TRIES
    raise
  end
  answer = JSON.parse(response.body)
  return answer if response.is_a?(Net::HTTPSuccess)

  error = answer.fetch("error")
  raise "#{error["code"]}: #{error["message"]} (#{answer["request_id"]})"
end

charge = create_charge("order-42", 1990, { name: "Maria Silva" }) # centavos
puts "#{charge["id"]} #{charge["status"]}"
puts charge.dig("pix", "br_code")
