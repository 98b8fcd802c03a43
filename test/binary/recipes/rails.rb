# frozen_string_literal: true

# The controller of a recipe in a small application of Rails. Each line of standard input is a request, and each line of
# standard output its answer: ruby rails.rb payments_controller.rb
require "action_controller/railtie"
require "json"
require "rack/mock"

class Shop < Rails::Application
  config.eager_load = false
  config.secret_key_base = "test"
  config.hosts.clear
  config.logger = Logger.new($stderr)
  config.root = Dir.pwd
end
load ARGV.fetch(0)
Shop.initialize!
Shop.routes.draw do
  post "/orders/:id/charge", to: "payments#charge"
  post "/webhooks", to: "payments#webhook"
end

$stdout.sync = true
$stdin.each_line do |line|
  sent = JSON.parse(line)
  headers = sent.fetch("headers").to_h { |name, value| ["HTTP_#{name.upcase.tr("-", "_")}", value] }
  options = { input: sent.fetch("body"), "CONTENT_TYPE" => "application/json" }
  answer = Rack::MockRequest.new(Shop).post(sent.fetch("path"), options.merge(headers))
  puts JSON.generate(status: answer.status, body: answer.body)
end
