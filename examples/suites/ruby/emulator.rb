# frozen_string_literal: true

require "json"
require "net/http"
require "open3"
require "tmpdir"

# An emulator of qa-pay for the tests of one process, with the functions that tests need. It ends with this process.
class Emulator
  attr_reader :url, :api_key

  # The emulator of this process, empty again. parallel_rspec starts a process for each worker.
  def self.anew
    @own ||= new
    @own.call(:post, "/_sandbox/reset")
    @own
  end

  def initialize
    folder = Dir.mktmpdir("qa-pay-") # its files, apart from those of the project
    flags = ["--detach", "--stop-with", Process.pid.to_s, "--port", "0", "--db", ":memory:", "--frozen", "--json"]
    line, status = Open3.capture2("qa-pay", "serve", *flags, chdir: folder)
    raise "qa-pay could not be started" unless status.success?

    @url, @api_key = JSON.parse(line).values_at("url", "test_key")
  end

  def call(method, path, body = nil)
    request = Net::HTTP.const_get(method.capitalize).new(URI(url + path), "apikey" => api_key)
    request["Content-Type"] = "application/json"
    request.body = JSON.generate(body) if body
    answer = Net::HTTP.start(request.uri.host, request.uri.port) { |http| http.request(request) }
    raise "#{method} #{path}: #{answer.body}" unless answer.is_a?(Net::HTTPSuccess)

    JSON.parse(answer.body) if answer.body
  end

  def pay(charge)
    call(:post, "/_sandbox/charges/#{charge}/pay", {})
  end

  # Moves the clock. When it returns, everything is done that fell due, deliveries included.
  def advance(seconds)
    call(:post, "/_sandbox/clock/advance", { seconds: seconds })
  end

  # Takes webhooks in the place of an endpoint.
  def collect(*events)
    call(:post, "/_sandbox/collectors", { events: events })
  end

  def webhooks(collector)
    advance(0) # what is on its way arrives
    call(:get, "/_sandbox/collectors/#{collector["id"]}/webhooks")["data"]
  end
end
