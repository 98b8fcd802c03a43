<?php
// A receiver with the mistake that the path names, /mistake/secret. It answers 204 or 401.
[, $mistake, $key] = explode('/', $_SERVER['REQUEST_URI']);
$body = file_get_contents('php://input');
preg_match('/^t=(\d+),v1=(\S+)$/', $_SERVER['HTTP_X_QA_SIGNATURE'] ?? '', $found);
[, $t, $v1] = $found + ['', '', ''];
$expected = match ($mistake) {
    'right' => hash_hmac('sha256', "$t.$body", $key),
    'hex' => hash_hmac('sha256', "$t.$body", hex2bin($key)),
    'printed' => hash_hmac('sha256', "$t." . json_encode(json_decode($body)), $key),
    'printed-array' => hash_hmac('sha256', "$t." . json_encode(json_decode($body, true)), $key),
    'printed-unicode' => hash_hmac('sha256', "$t." . json_encode(json_decode($body), JSON_UNESCAPED_UNICODE), $key),
    'printed-slashes' => hash_hmac('sha256', "$t." . json_encode(json_decode($body, true), JSON_UNESCAPED_SLASHES), $key),
    'printed-plain' => hash_hmac('sha256', "$t." . json_encode(json_decode($body), JSON_PRETTY_PRINT | JSON_UNESCAPED_UNICODE), $key),
    'carriage-return' => hash_hmac('sha256', "$t.$body", "$key\r"),
    'upper-case' => strtoupper(hash_hmac('sha256', "$t.$body", $key)),
    'no-timestamp' => hash_hmac('sha256', $body, $key),
    'no-hmac' => hash('sha256', "$t.$body$key"),
    'order' => hash_hmac('sha256', "$body.$t", $key),
};
http_response_code($expected === $v1 ? 204 : 401);
