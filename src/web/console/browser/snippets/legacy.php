<?php
// $body: file_get_contents('php://input'), before json_decode
function is_genuine(string $body, string $header, string $secret): bool
{
    return hash_equals('sha256=' . hash_hmac('sha256', $body, $secret), $header);
}
