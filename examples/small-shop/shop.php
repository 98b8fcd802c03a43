<?php ini_set('display_errors', '0'); // an error is answered with 500
/** Sends a request until the service has answered. The idempotency key makes it safe to send it again. */
function ask(string $method, string $path, ?array $body = null, string $key = ''): array
{
    $headers = ['apikey: ' . getenv('QA_PAY_API_KEY'), 'Content-Type: application/json', "Idempotency-Key: $key"];
    $http = ['method' => $method, 'header' => $headers, 'content' => $body ? json_encode($body) : ''];
    $context = stream_context_create(['http' => $http + ['timeout' => 10, 'ignore_errors' => true]]);
    for ($tries = 1; ; $tries++) {
        $answer = json_decode(@file_get_contents(getenv('QA_PAY_BASE_URL') . $path, false, $context) ?: '', true);
        $status = (int) substr($http_response_header[0] ?? '', 9, 3);
        if ($answer && $status < 300) return $answer;
        if ($tries === 6 || ($answer && $status < 500 && $status !== 429)) throw new Exception("answered $status");
        $wait = preg_replace('/\D/', '', implode(preg_grep('/^retry-after:/i', $http_response_header ?? [])));
        usleep((int) (1e6 * ($wait ?: 0.1 * $tries)));
    }
}

/** Books what the service says of a charge. An old attempt counts only when money came for it. */
function book(array &$orders, string $reference): bool
{
    ['id' => $id, 'status' => $word, 'metadata' => $metadata] = ask('GET', "/v1/charges/$reference");
    $order = $orders[$metadata['order'] ?? ''] ?? null;
    $status = in_array($word, ['paid', 'refunded', 'disputed'], true) ? $word : 'open';
    if (!$order || ($order['id'] !== $id && !in_array($status, ['paid', 'disputed'], true))) return false;
    $fulfilled = $status === 'paid' ? 1 : $order['fulfilled']; // the goods go out once
    $orders[$order['order']] = compact('id', 'status', 'fulfilled') + $order;
    return in_array($word, ['expired', 'failed', 'cancelled'], true) || ($word === 'refunded' && $fulfilled === 0);
}

function buy(array &$orders, string $order, int $amount, string $document): array
{
    $row = &$orders[$order];
    $row ??= compact('order', 'amount') + ['attempt' => 1, 'status' => 'open', 'fulfilled' => 0];
    $body = ['payment_method' => 'pix', 'customer' => compact('document'), 'metadata' => compact('order')];
    for (;; $row['attempt']++) { // the next attempt when a charge is over
        $row['id'] = ask('POST', '/v1/charges', $body + compact('amount'), "order-$order-$row[attempt]")['id'];
        if (!book($orders, $row['id'])) return ['charge' => $row['id']];
    }
}

/** An event comes twice and in any order, so it is only the signal to read the charge. */
function hear(array &$orders, string $body): int
{
    preg_match('/^(?:t=(\d+),v1|sha256)=(\w+)$/', $_SERVER['HTTP_X_QA_SIGNATURE'] ?? '', $parts);
    [, $t, $given] = $parts + ['', '', '']; // payment.* and withdrawal.* sign no time
    $expected = hash_hmac('sha256', $t === '' ? $body : "$t.$body", getenv('QA_PAY_WEBHOOK_SECRET'));
    if (!hash_equals($expected, $given) || ($t !== '' && abs(time() - (int) $t) > 300)) return 400;
    $about = ($data = json_decode($body, true)['data'])['object'] ?? $data;
    book($orders, str_replace('tx_', '', $about['charge_id'] ?? $about['transactionId'] ?? $about['id']));
    return 204;
}

flock($file = fopen('orders.json', 'c+'), LOCK_EX); // one request after the other; a real shop has a table
$orders = json_decode(stream_get_contents($file), true) ?? [];
$body = file_get_contents('php://input');
if ($_SERVER['REQUEST_URI'] === '/buy') $answer = buy($orders, ...json_decode($body, true));
if ($_SERVER['REQUEST_URI'] === '/webhooks') http_response_code(hear($orders, $body));
ftruncate($file, 0) && rewind($file) && fwrite($file, json_encode($orders));
echo json_encode($answer ?? array_values($orders));
