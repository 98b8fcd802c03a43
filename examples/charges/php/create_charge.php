<?php
// Creates a Pix charge with nothing but PHP: QA_PAY_BASE_URL=... QA_PAY_API_KEY=... php create_charge.php
declare(strict_types=1);

const TRIES = 3;

/** Creates a charge. The order names it: a repetition answers the same charge and makes no second one. */
function createCharge(string $orderId, int $amount, array $customer): array
{
    $wanted = ['amount' => $amount, 'payment_method' => 'pix', 'customer' => $customer, 'metadata' => ['order' => $orderId]];
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => [
            'apikey: ' . getenv('QA_PAY_API_KEY'),
            'Content-Type: application/json',
            "Idempotency-Key: charge-for-$orderId",
        ],
        'content' => json_encode($wanted, JSON_THROW_ON_ERROR),
        'timeout' => 10,
        'ignore_errors' => true, // read the body of a refusal too
    ]]);
    for ($attempt = 1; $attempt <= TRIES; $attempt++) {
        $http_response_header = [];
        $body = @file_get_contents(getenv('QA_PAY_BASE_URL') . '/v1/charges', false, $context);
        $status = (int) (explode(' ', $http_response_header[0] ?? '')[1] ?? 0);
        if ($body === false || $status === 0 || $status >= 500) {
            continue; // whether it was created is unknown, so send it again
        }
        $answer = json_decode($body, true, 32, JSON_THROW_ON_ERROR);
        if ($status < 300) {
            return $answer;
        }
        $error = $answer['error'];
        throw new RuntimeException("{$error['code']}: {$error['message']} ({$answer['request_id']})");
    }
    throw new RuntimeException('The service did not answer.');
}

$charge = createCharge('order-42', 1990, ['name' => 'Maria Silva']); // centavos
echo $charge['id'], ' ', $charge['status'], "\n";
echo $charge['pix']['br_code'], "\n";
