<?php

// A receiver of webhooks with nothing but PHP:
// QA_PAY_WEBHOOK_SECRET=… php -S 127.0.0.1:3000 receiver.php
// During a rotation QA_PAY_WEBHOOK_SECRET has both secrets: new,old

declare(strict_types=1);

const TOLERANCE_SECONDS = 300;
const MAX_BODY_BYTES = 1024 * 1024;

/** Whether one of the secrets has signed the text. The digest is compared in constant time. */
function is_signed(string $digest, string $signed, array $secrets): bool
{
    foreach ($secrets as $secret) { // the secret as text, not decoded from hex
        if (hash_equals(hash_hmac('sha256', $signed, $secret), $digest)) {
            return true;
        }
    }
    return false;
}

/** The event of a genuine webhook of either family, else null. $body is the text as it came. A test gives $now. */
function verified(string $body, string $signature, array $secrets, ?int $now = null): ?array
{
    if (preg_match('/^sha256=([0-9a-f]{64})$/D', $signature, $match)) {
        if (!is_signed($match[1], $body, $secrets)) {
            return null;
        }
        $event = json_decode($body, true);
        return is_string($event['event'] ?? null) && !isset($event['type']) ? $event : null;
    }
    if (preg_match('/^t=(\d{1,15}),v1=([0-9a-f]{64})$/D', $signature, $match)) {
        if (!is_signed($match[2], "$match[1].$body", $secrets)) {
            return null;
        }
        if (abs(($now ?? time()) - (int) $match[1]) > TOLERANCE_SECONDS) { // recorded, and sent again
            return null;
        }
        $event = json_decode($body, true);
        return is_string($event['type'] ?? null) && is_string($event['id'] ?? null) ? $event : null;
    }
    return null;
}

/**
 * Keys that repetitions share. A canonical event has an id. A legacy one has none: its delivery id is the same in all
 * retries, and its bytes are the same when somebody sends it anew.
 */
function keys_of(array $event, string $body, string $delivery_id): array
{
    return isset($event['id']) ? [$event['id']] : array_filter([$delivery_id, $body]);
}

/**
 * Whether no request before had one of these keys. Requests of PHP share no memory, so each key is a file: creating it
 * succeeds once. A real receiver has a table with a unique key, and writes key and event in one transaction before it
 * answers: then no event is lost or handled twice when the process ends.
 */
function is_new(array $keys): bool
{
    $folder = getenv('SEEN_FOLDER') ?: sys_get_temp_dir() . '/webhooks-seen';
    if (!is_dir($folder)) {
        @mkdir($folder, 0700, true); // another request may make it at the same time
    }
    $is_new = true;
    foreach ($keys as $key) {
        $path = "$folder/" . hash('sha256', $key);
        $file = @fopen($path, 'x');
        if ($file !== false) {
            fclose($file);
        } elseif (is_file($path)) {
            $is_new = false;
        } else {
            throw new RuntimeException("Cannot write $path.");
        }
    }
    return $is_new;
}

/** Sends the answer now, so that the work after it keeps nobody waiting. */
function answer(int $status): void
{
    http_response_code($status);
    if (function_exists('fastcgi_finish_request')) {
        fastcgi_finish_request();
    } else {
        header('Content-Length: 0');
        flush();
    }
}

/** What your shop does. Events come in any order, and new ones are added without notice: ignore the others. */
function work(array $event): void
{
    $name = $event['type'] ?? $event['event'];
    $line = match ($name) {
        'charge.paid' => "$event[id] {$event['data']['object']['id']} is paid: {$event['data']['object']['amount']} centavos",
        default => $event['id'] ?? $event['data']['transactionId'],
    };
    file_put_contents('php://stdout', "work $name $line\n");
}

if (PHP_SAPI === 'cli') {
    return; // a test has loaded this file: there is no request
}
$secrets = array_filter(explode(',', getenv('QA_PAY_WEBHOOK_SECRET') ?: ''));
if ($secrets === []) {
    answer(500);
    throw new RuntimeException('Set QA_PAY_WEBHOOK_SECRET.');
}
if ($_SERVER['REQUEST_METHOD'] !== 'POST' || parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH) !== '/webhooks') {
    answer(404);
    return;
}
$body = file_get_contents('php://input', false, null, 0, MAX_BODY_BYTES + 1);
if (strlen($body) > MAX_BODY_BYTES) {
    answer(413);
    return;
}
$event = verified($body, $_SERVER['HTTP_X_QA_SIGNATURE'] ?? '', $secrets);
if ($event === null) {
    answer(400);
    return;
}
http_response_code(500); // what cannot be remembered must come again
$is_new = is_new(keys_of($event, $body, $_SERVER['HTTP_X_QA_DELIVERY_ID'] ?? ''));
ignore_user_abort(true);
answer(204); // at once: the service waits 30 seconds and then sends the event again
if ($is_new) {
    work($event);
}
