<?php
// A shop in PHP. Start `npx crypto-checkout serve --sandbox`, and then `php -S 127.0.0.1:8000 shop.php`.
declare(strict_types=1);

function setting(string $name, string $default): string
{
    $value = getenv($name);
    return $value === false ? $default : $value;
}

$checkout = setting('CHECKOUT_URL', 'http://127.0.0.1:4020');
$secret = setting('CHECKOUT_SECRET', 'sandbox-secret-of-the-merchant-api');
$webhookSecret = setting('CHECKOUT_WEBHOOK_SECRET', 'whsec_c2FuZGJveC1zZWNyZXQtb2YtdGhlLXdlYmhvb2tz');
$shop = setting('SHOP_URL', 'http://127.0.0.1:8000');
$events = setting('SHOP_DATA', __DIR__ . '/data');

/** Places an order, or returns the one with this id. */
function placeOrder(string $orderId, string $shop, string $checkout, string $secret): array
{
    $order = [
        'orderId' => $orderId, 'amount' => '49.90', 'currency' => 'USD', 'country' => 'GB', 'description' => 'Mug',
        'customer' => ['name' => 'Ada', 'phone' => '', 'email' => 'ada@shop.example'],
        // Where the customer goes after the payment.
        'redirectUrl' => "$shop/",
    ];
    $body = file_get_contents("$checkout/orders", false, stream_context_create(['http' => [
        'method' => 'POST',
        'header' => "Authorization: Bearer $secret\r\nContent-Type: application/json",
        'content' => json_encode($order),
        'timeout' => 20,
    ]]));
    if ($body === false) throw new RuntimeException('the order was not placed');
    return json_decode($body, true, 32, JSON_THROW_ON_ERROR);
}

/** Standard Webhooks: whether the request is of `serve`, unchanged, and not older than five minutes. */
function isGenuine(string $body, string $id, string $time, string $signatures, string $webhookSecret): bool
{
    if (!preg_match('/^\w[\w-]*$/', $id) || !ctype_digit($time) || abs(time() - (int) $time) > 300) return false;
    $key = base64_decode(substr($webhookSecret, strlen('whsec_')), true);
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$time.$body", $key, true));
    foreach (explode(' ', $signatures) as $signature) if (hash_equals($expected, $signature)) return true;
    return false;
}

/** Keeps each event once, in a file of its own. A repeated event changes nothing. */
function keep(string $folder, string $id, string $body): void
{
    if (!is_dir($folder)) mkdir($folder, 0700, true);
    $temporary = tempnam($folder, '.new');
    if (file_put_contents($temporary, $body) !== strlen($body)) throw new RuntimeException('the event was not kept');
    if (!@link($temporary, "$folder/$id.json") && !is_file("$folder/$id.json"))
        throw new RuntimeException('the event was not kept');
    unlink($temporary);
}

/** The ids of the paid orders. A real shop ships them. */
function paidOrders(string $folder): array
{
    $paid = [];
    foreach (glob("$folder/*.json") ?: [] as $file) {
        $event = json_decode((string) file_get_contents($file), true);
        if ($event['type'] === 'order.paid') $paid[] = $event['data']['orderId'];
    }
    return $paid;
}

$route = $_SERVER['REQUEST_METHOD'] . ' ' . parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($route === 'POST /buy') {
    header('Location: ' . placeOrder(bin2hex(random_bytes(8)), $shop, $checkout, $secret)['payUrl'], true, 303);
} elseif ($route === 'POST /events') {
    $body = (string) file_get_contents('php://input');
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $time = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    $isGenuine = isGenuine($body, $id, $time, $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '', $webhookSecret);
    if ($isGenuine) keep($events, $id, $body);
    http_response_code($isGenuine ? 204 : 401);
} elseif ($route === 'GET /') {
    $paid = htmlspecialchars(implode(', ', paidOrders($events)) ?: 'none');
    echo <<<HTML
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Mug shop</title>
    <h1>Mug shop</h1>
    <form method="post" action="/buy"><button>Buy a mug</button></form>
    <p>Paid: $paid</p>
    HTML;
} else {
    http_response_code(404);
}
