# frozen_string_literal: true

# Rails: app/controllers/payments_controller.rb. config/routes.rb has
#   post "/orders/:id/charge", to: "payments#charge"
#   post "/webhooks", to: "payments#webhook"
require "net/http"

class PaymentsController < ActionController::API
  def charge
    headers = {
      "apikey" => ENV.fetch("QA_PAY_API_KEY"),
      "Content-Type" => "application/json",
      "Idempotency-Key" => "charge-for-#{params[:id]}"
    }
    wanted = { amount: 1990, payment_method: "pix", metadata: { order: params[:id] } } # centavos, from your database
    answer = Net::HTTP.post(URI("#{ENV.fetch("QA_PAY_BASE_URL")}/v1/charges"), wanted.to_json, headers)
    render json: answer.body, status: answer.code.to_i
  end

  def webhook
    body = request.raw_post # as it came: a parsed body cannot be verified
    return head :bad_request unless genuine?(body, request.headers["X-QA-Signature"].to_s)

    event = JSON.parse(body) # its id is the same in every repetition: keep it in a column that is unique
    Rails.logger.info("paid #{event.dig("data", "object", "id")} #{event["id"]}") if event["type"] == "charge.paid"
    head :no_content
  end

  private

  def genuine?(body, signature)
    t, digest = signature.match(/\At=(\d{1,15}),v1=(\h{64})\z/)&.captures
    return false if t.nil?

    wanted = OpenSSL::HMAC.hexdigest("SHA256", ENV.fetch("QA_PAY_WEBHOOK_SECRET"), "#{t}.#{body}")
    ActiveSupport::SecurityUtils.secure_compare(wanted, digest) && (Time.now.to_i - t.to_i).abs <= 300
  end
end
