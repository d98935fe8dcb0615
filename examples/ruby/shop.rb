# A shop in Ruby. Start `npx crypto-checkout serve --sandbox`, and then `ruby shop.rb`.
require 'cgi'
require 'fileutils'
require 'json'
require 'net/http'
require 'openssl'
require 'securerandom'
require 'socket'

CHECKOUT = ENV.fetch('CHECKOUT_URL', 'http://127.0.0.1:4020')
SECRET = ENV.fetch('CHECKOUT_SECRET', 'sandbox-secret-of-the-merchant-api')
WEBHOOK_SECRET = ENV.fetch('CHECKOUT_WEBHOOK_SECRET', 'whsec_c2FuZGJveC1zZWNyZXQtb2YtdGhlLXdlYmhvb2tz')
SHOP = ENV.fetch('SHOP_URL', 'http://127.0.0.1:8000')
EVENTS = ENV.fetch('SHOP_DATA', File.join(__dir__, 'data'))

# Places an order, or returns the one with this id.
def place_order(order_id)
  order = {
    orderId: order_id, amount: '49.90', currency: 'USD', country: 'GB', description: 'Mug',
    customer: {name: 'Ada', phone: '', email: 'ada@shop.example'},
    # Where the customer goes after the payment.
    redirectUrl: "#{SHOP}/"
  }
  headers = {'authorization' => "Bearer #{SECRET}", 'content-type' => 'application/json'}
  response = Net::HTTP.post(URI("#{CHECKOUT}/orders"), order.to_json, headers)
  raise "the order was not placed: #{response.code}" unless response.is_a?(Net::HTTPSuccess)
  JSON.parse(response.body)
end

# Standard Webhooks: whether the request is of `serve`, unchanged, and not older than five minutes.
def genuine?(body, headers)
  id, time, signatures = %w[id timestamp signature].map { |name| headers["webhook-#{name}"].to_s }
  return false unless id.match?(/\A\w[\w-]*\z/) && time.match?(/\A\d{1,12}\z/)
  return false if (Time.now.to_i - time.to_i).abs > 300
  key = WEBHOOK_SECRET.delete_prefix('whsec_').unpack1('m0')
  expected = 'v1,' + [OpenSSL::HMAC.digest('SHA256', key, "#{id}.#{time}.#{body}")].pack('m0')
  signatures.split(' ').any? { |each| OpenSSL.secure_compare(expected, each) }
end

# Keeps each event once, in a file of its own. A repeated event changes nothing.
def keep(id, body)
  FileUtils.mkdir_p(EVENTS)
  temporary = File.join(EVENTS, ".new-#{SecureRandom.hex(8)}")
  File.binwrite(temporary, body)
  File.link(temporary, File.join(EVENTS, "#{id}.json"))
rescue Errno::EEXIST
  nil
ensure
  FileUtils.rm_f(temporary) if temporary
end

# The ids of the paid orders. A real shop ships them.
def paid_orders
  events = Dir.glob(File.join(EVENTS, '*.json')).map { |file| JSON.parse(File.read(file)) }
  events.select { |event| event['type'] == 'order.paid' }.map { |event| event['data']['orderId'] }
end

def page(paid)
  <<~HTML
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Mug shop</title>
    <h1>Mug shop</h1>
    <form method="post" action="/buy"><button>Buy a mug</button></form>
    <p>Paid: #{paid}</p>
  HTML
end

def respond(route, headers, body)
  case route
  when 'GET /'
    paid = CGI.escapeHTML(paid_orders.join(', ').then { |ids| ids.empty? ? 'none' : ids })
    ['200 OK', {}, page(paid)]
  when 'POST /buy'
    ['303 See Other', {'location' => place_order(SecureRandom.hex(8))['payUrl']}, '']
  when 'POST /events'
    return ['401 Unauthorized', {}, ''] unless genuine?(body, headers)
    keep(headers['webhook-id'], body)
    ['204 No Content', {}, '']
  else
    ['404 Not Found', {}, '']
  end
end

def serve(socket)
  method, path = socket.gets.to_s.split(' ')
  headers = {}
  while (line = socket.gets.to_s.chomp) != ''
    name, value = line.split(':', 2)
    headers[name.downcase] = value.to_s.strip
  end
  status, more, reply = respond("#{method} #{path}", headers, socket.read(headers['content-length'].to_i).to_s)
  lines = {'content-length' => reply.bytesize, 'content-type' => 'text/html; charset=utf-8', 'connection' => 'close', **more}
  socket.write("HTTP/1.1 #{status}\r\n", lines.map { |name, value| "#{name}: #{value}\r\n" }.join, "\r\n", reply)
ensure
  socket.close
end

# Ctrl-C stops it.
trap('INT', 'EXIT')
server = TCPServer.new('127.0.0.1', ENV.fetch('PORT', '8000').to_i)
puts "http://127.0.0.1:#{server.local_address.ip_port}"
loop { Thread.new(server.accept) { |socket| serve(socket) } }
