# frozen_string_literal: true

# A receiver of webhooks with nothing but Ruby: PORT=3000 QA_PAY_WEBHOOK_SECRET=... ruby receiver.rb
# During a rotation QA_PAY_WEBHOOK_SECRET has both secrets: new,old

require "json"
require "openssl"
require "socket"
require "stringio"
require "timeout"

# A Rack application: in a project that has Rack, `run Webhooks.new(secrets) { |event| … }` in config.ru is all.
class Webhooks
  TOLERANCE_SECONDS = 300
  MAX_BODY_BYTES = 1024 * 1024

  # The block gets each event once, after it was answered. A test gives a clock.
  def initialize(secrets, clock: Time, &work)
    raise ArgumentError, "Set QA_PAY_WEBHOOK_SECRET." if secrets.empty?

    @secrets = secrets
    @clock = clock
    # In memory, so that the example stays short. A real receiver has a table with a unique key, and writes key and event
    # in one transaction before it answers: then no event is lost or handled twice when the process ends.
    @seen = {}
    @lock = Mutex.new
    @events = Queue.new
    Thread.new { work_through(work) }
  end

  def call(env)
    return answer(404) unless env["REQUEST_METHOD"] == "POST" && env["PATH_INFO"] == "/webhooks"

    body = env["rack.input"].read(MAX_BODY_BYTES + 1).to_s
    return answer(413) if body.bytesize > MAX_BODY_BYTES

    event = verified(body, env.fetch("HTTP_X_QA_SIGNATURE", ""))
    return answer(400) if event.nil?

    accept(event, keys_of(event, body, env["HTTP_X_QA_DELIVERY_ID"]))
    answer(204) # at once: the service waits 30 seconds and then sends the event again
  end

  private

  # Whether one of the secrets has signed the text. The digest is compared in constant time.
  def signed?(digest, text)
    @secrets.any? do |secret| # the secret as text, not decoded from hex
      OpenSSL.fixed_length_secure_compare(OpenSSL::HMAC.hexdigest("SHA256", secret, text), digest)
    end
  end

  # The event of a genuine webhook of either family, else nil. `body` is the bytes as they came.
  def verified(body, signature)
    if (match = /\Asha256=(\h{64})\z/.match(signature))
      return unless signed?(match[1], body)

      event = parsed(body)
      event if event[:event].is_a?(String) && !event.key?(:type)
    elsif (match = /\At=(\d{1,15}),v1=(\h{64})\z/.match(signature))
      return unless signed?(match[2], "#{match[1]}.".b + body)
      return if (@clock.now.to_i - match[1].to_i).abs > TOLERANCE_SECONDS # recorded, and sent again

      event = parsed(body)
      event if event[:type].is_a?(String) && event[:id].is_a?(String)
    end
  end

  def parsed(body)
    value = JSON.parse(body.dup.force_encoding(Encoding::UTF_8), symbolize_names: true)
    value.is_a?(Hash) ? value : {}
  rescue JSON::ParserError
    {}
  end

  # Keys that repetitions share. A canonical event has an id. A legacy one has none: its delivery id is the same in all
  # retries, and its bytes are the same when somebody sends it anew.
  def keys_of(event, body, delivery_id)
    event.key?(:id) ? [event[:id]] : [delivery_id, OpenSSL::Digest::SHA256.hexdigest(body)].compact
  end

  def accept(event, keys)
    known = @lock.synchronize do
      found = keys.any? { |key| @seen.key?(key) }
      keys.each { |key| @seen[key] = true }
      found
    end
    @events << event unless known
  end

  def work_through(work)
    loop do
      work.call(@events.pop)
    rescue StandardError => e # one bad event must not stop the others
      warn e.full_message
    end
  end

  def answer(status)
    [status, {}, []]
  end
end

# Ruby has no web server of its own any more: this is as much HTTP as one application needs. Puma does it better.
class SmallServer
  REASONS = { 204 => "No Content", 400 => "Bad Request", 404 => "Not Found", 413 => "Content Too Large" }.freeze

  def initialize(app, port)
    @app = app
    @server = TCPServer.new("127.0.0.1", port)
  end

  def port
    @server.addr[1]
  end

  def run
    loop { Thread.start(@server.accept) { |socket| serve(socket) } }
  end

  private

  def serve(socket)
    Timeout.timeout(30) do
      status, = @app.call(request(socket))
      socket.write("HTTP/1.1 #{status} #{REASONS[status]}\r\nConnection: close\r\n\r\n")
    end
  rescue StandardError => e
    warn e.message
  ensure
    socket.close
  end

  def request(socket)
    method, path = socket.gets("\r\n", 8192).to_s.split
    env = { "REQUEST_METHOD" => method, "PATH_INFO" => path, "rack.input" => socket }
    while (line = socket.gets("\r\n", 8192)) && line != "\r\n"
      name, value = line.split(":", 2)
      env["HTTP_#{name.upcase.tr('-', '_')}"] = value.to_s.strip
    end
    length = [env["HTTP_CONTENT_LENGTH"].to_i, Webhooks::MAX_BODY_BYTES + 1].min
    env.merge("rack.input" => StringIO.new(socket.read(length).to_s))
  end
end

# What your shop does. Events come in any order, and new ones are added without notice: ignore the others.
def work(event)
  case event
  in { type: "charge.paid" => name, id:, data: { object: { id: charge, amount: } } }
    puts "work #{name} #{id} #{charge} is paid: #{amount} centavos"
  in { type: name, id: }
    puts "work #{name} #{id}"
  in { event: name, data: { transactionId: } }
    puts "work #{name} #{transactionId}"
  end
end

if $PROGRAM_NAME == __FILE__
  $stdout.sync = true
  secrets = ENV.fetch("QA_PAY_WEBHOOK_SECRET", "").split(",")
  server = SmallServer.new(Webhooks.new(secrets) { |event| work(event) }, ENV.fetch("PORT", "3000").to_i)
  puts "Listening at http://127.0.0.1:#{server.port}/webhooks"
  server.run
end
