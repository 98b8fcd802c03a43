<?php
// A shop with nothing but PHP: QA_PAY_BASE_URL=… QA_PAY_API_KEY=… QA_PAY_WEBHOOK_SECRET=… php -S 127.0.0.1:3000 shop.php
declare(strict_types=1);

const TRIES = 6;

/** What a charge means for its order. Any other status, a new one too, leaves the order open. */
const MEANING = ['paid' => 'paid', 'refunded' => 'refunded', 'disputed' => 'disputed'];

/** Orders, in a file that no reader finds half written. A real shop has a database. */
final class Orders
{
    public array $all;
    private string $file;
    /** @var resource */
    private $lock;

    public function __construct()
    {
        $this->file = getenv('SHOP_FILE') ?: __DIR__ . '/orders.json';
        // One request at a time, so that what was read first is booked first. A real shop locks the row of the order.
        $this->lock = fopen("$this->file.lock", 'c');
        flock($this->lock, LOCK_EX);
        $this->all = json_decode(@file_get_contents($this->file) ?: '[]', true);
    }

    /** Keeps the orders before anybody is answered. */
    public function save(): void
    {
        file_put_contents("$this->file.new", json_encode($this->all, JSON_THROW_ON_ERROR));
        rename("$this->file.new", $this->file);
    }

    /** Gives an order a charge that can be paid: the one that it has, or the next one when that is over. */
    public function buy(string $id, int $amount, string $document): string
    {
        $this->all[$id] ??= ['amount' => $amount, 'attempt' => 1, 'charge' => null, 'status' => 'open', 'fulfilled' => 0];
        $this->save();
        while (true) {
            ['amount' => $amount, 'attempt' => $attempt] = $this->all[$id];
            $body = ['amount' => $amount, 'payment_method' => 'pix', 'metadata' => ['order' => $id]];
            $body['customer'] = ['document' => $document];
            // The same key for every try of this attempt: a repeated request never makes a second charge.
            $made = ask('POST', '/v1/charges', $body, "order-$id-$attempt");
            // A repetition is answered as the first request was, so the charge may look otherwise by now.
            $charge = ask('GET', "/v1/charges/{$made['id']}");
            $this->all[$id]['charge'] = $charge['id'];
            $this->book($charge);
            // Money of the wrong payer went back before anything was sent.
            $isRefused = $charge['status'] === 'refunded' && $this->all[$id]['fulfilled'] === 0;
            if (!$isRefused && !in_array($charge['status'], ['expired', 'failed', 'cancelled'], true)) {
                return $charge['id'];
            }
            $this->all[$id]['attempt']++;
        }
    }

    /** Takes what the service says. The goods go out once, however often it says so. */
    public function book(array $charge): void
    {
        $id = $charge['metadata']['order'] ?? '';
        $status = MEANING[$charge['status']] ?? 'open';
        $order = $this->all[$id] ?? null;
        // An old attempt matters only when money came for it.
        if ($order === null || ($order['charge'] !== $charge['id'] && !in_array($status, ['paid', 'disputed'], true))) {
            return;
        }
        $fulfilled = $status === 'paid' ? 1 : $order['fulfilled'];
        $this->all[$id] = ['charge' => $charge['id'], 'status' => $status, 'fulfilled' => $fulfilled] + $order;
        $this->save();
    }
}

/** Asks the payment service until it answers. After an error or no answer the same request may be sent again. */
function ask(string $method, string $path, ?array $body = null, string $key = ''): array
{
    $headers = ['apikey: ' . getenv('QA_PAY_API_KEY'), 'Content-Type: application/json', "Idempotency-Key: $key"];
    $context = stream_context_create(['http' => [
        'method' => $method,
        'header' => $headers,
        'content' => $body === null ? '' : json_encode($body, JSON_THROW_ON_ERROR),
        'timeout' => 10,
        'ignore_errors' => true, // read the body of a refusal too
    ]]);
    for ($attempt = 1; $attempt <= TRIES; $attempt++) {
        $http_response_header = [];
        $text = @file_get_contents(getenv('QA_PAY_BASE_URL') . $path, false, $context);
        $answer = json_decode($text ?: '', true);
        $status = (int) (explode(' ', $http_response_header[0] ?? '')[1] ?? 0);
        if ($answer !== null && $status >= 200 && $status < 300) {
            return $answer;
        }
        if ($answer !== null && $status >= 400 && $status < 500 && $status !== 429) {
            throw new RuntimeException("{$answer['error']['code']}: {$answer['error']['message']}");
        }
        $wait = preg_grep('/^retry-after: *\d+$/i', $http_response_header);
        usleep((int) (1e6 * ($wait ? (int) preg_replace('/\D/', '', reset($wait)) : 0.1 * $attempt)));
    }
    throw new RuntimeException('The payment service does not answer.');
}

/** Whether the service has signed the bytes as they came, and within five minutes. */
function isGenuine(string $body, string $signature): bool
{
    $secret = (string) getenv('QA_PAY_WEBHOOK_SECRET');
    if (preg_match('/^sha256=([0-9a-f]{64})$/', $signature, $parts)) { // payment.* and withdrawal.* sign no time
        return hash_equals(hash_hmac('sha256', $body, $secret), $parts[1]);
    }
    return preg_match('/^t=(\d{1,15}),v1=([0-9a-f]{64})$/', $signature, $parts)
        && abs(time() - (int) $parts[1]) <= 300
        && hash_equals(hash_hmac('sha256', "$parts[1].$body", $secret), $parts[2]);
}

/** The status to answer. Anything but 2xx makes the service send the event again later. */
function hear(string $body, string $signature): int
{
    if (!isGenuine($body, $signature)) {
        return 400;
    }
    // Events come twice and in any order. So an event is only the signal to read the charge, and what stands there counts.
    $data = json_decode($body, true, 32, JSON_THROW_ON_ERROR)['data'];
    $about = $data['object'] ?? $data;
    $id = $about['charge_id'] ?? $about['transactionId'] ?? $about['id'];
    $orders = new Orders();
    $orders->book(ask('GET', '/v1/charges/' . preg_replace('/^tx_/', '', $id)));
    return 204;
}

/** @return array{int, mixed} the status and the content of the answer */
function answerTo(string $route, string $body): array
{
    switch ($route) {
        case 'GET /':
            return [200, 'The shop is open.'];
        case 'POST /webhooks':
            return [hear($body, $_SERVER['HTTP_X_QA_SIGNATURE'] ?? ''), null];
        case 'POST /buy':
            $wanted = json_decode($body, true, 8, JSON_THROW_ON_ERROR);
            return [200, ['charge' => (new Orders())->buy($wanted['order'], $wanted['amount'], $wanted['document'])]];
        case 'GET /orders':
            $orders = (new Orders())->all;
            $row = fn ($id, $order) => ['id' => $order['charge'], 'order' => $id] + $order;
            return [200, array_map($row, array_keys($orders), $orders)];
        default:
            return [404, null];
    }
}

try {
    [$status, $content] = answerTo("$_SERVER[REQUEST_METHOD] $_SERVER[REQUEST_URI]", file_get_contents('php://input'));
} catch (Throwable $error) {
    error_log($error->getMessage());
    [$status, $content] = [502, 'The payment could not be started. Please try again.'];
}
http_response_code($status);
header('Content-Type: application/json');
if ($content !== null) {
    echo json_encode($content, JSON_THROW_ON_ERROR);
}
