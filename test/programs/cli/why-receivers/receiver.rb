# A receiver with the mistake that the path names, /mistake/secret. It answers 204 or 401.
require "json"
require "openssl"
require "socket"

def digest(key, text, algorithm = "SHA256") = OpenSSL::HMAC.hexdigest(algorithm, key, text)

EXPECTED = {
  "right" => ->(key, t, body) { digest(key, "#{t}.#{body}") },
  "hex" => ->(key, t, body) { digest([key].pack("H*"), "#{t}.#{body}") },
  "base64" => ->(key, t, body) { digest(key.unpack1("m"), "#{t}.#{body}") },
  "printed" => ->(key, t, body) { digest(key, "#{t}.#{JSON.pretty_generate(JSON.parse(body))}") },
  "newline" => ->(key, t, body) { digest("#{key}\n", "#{t}.#{body}") },
  "no-dot" => ->(key, t, body) { digest(key, "#{t}#{body}") },
  "sha512" => ->(key, t, body) { digest(key, "#{t}.#{body}", "SHA512") },
}

server = TCPServer.new("127.0.0.1", Integer(ENV.fetch("PORT")))
loop do
  client = server.accept
  line = client.gets
  next client.close if line.nil?

  headers = {}
  while (header = client.gets&.chomp) && !header.empty?
    name, value = header.split(": ", 2)
    headers[name.downcase] = value
  end
  body = client.read(headers.fetch("content-length", "0").to_i)
  _, mistake, key = line.split[1].split("/")
  _, t, v1 = */^t=(\d+),v1=(\S+)$/.match(headers["x-qa-signature"].to_s)
  status = EXPECTED.fetch(mistake).call(key, t, body) == v1 ? "204 No Content" : "401 Unauthorized"
  client.write("HTTP/1.1 #{status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
  client.close
end
