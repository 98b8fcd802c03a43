<?php
// $body: file_get_contents('php://input'), before json_decode
function is_genuine(string $body, string $header, string $secret): bool
{
    parse_str(strtr($header, ',', '&'), $parts);
    $expected = hash_hmac('sha256', $parts['t'] . '.' . $body, $secret);
    return hash_equals($expected, $parts['v1']) && abs(time() - (int) $parts['t']) <= 300;
}
