<?php

declare(strict_types=1);

/** A shop that takes Pix: what the tests of this folder test. */
final class Shop
{
    private const STATES = ['charge.paid' => 'paid', 'charge.expired' => 'cancelled'];

    public array $orders = [];

    public function __construct(private string $baseUrl, private string $apiKey, private array $secrets)
    {
    }

    /** Places an order of so many centavos. Returns the id of its charge. */
    public function buy(string $order, int $amount): string
    {
        $body = ['amount' => $amount, 'payment_method' => 'pix', 'metadata' => ['order' => $order]];
        $answer = file_get_contents("$this->baseUrl/v1/charges", false, stream_context_create(['http' => [
            'method' => 'POST',
            'header' => ["apikey: $this->apiKey", 'Content-Type: application/json', "Idempotency-Key: charge-for-$order"],
            'content' => json_encode($body, JSON_THROW_ON_ERROR),
        ]]));
        $this->orders[$order] = 'open';
        return json_decode($answer, true, 32, JSON_THROW_ON_ERROR)['id'];
    }

    /** Handles a webhook. Returns the status to answer. */
    public function receive(string $body, string $signature): int
    {
        $event = verified($body, $signature, $this->secrets);
        if ($event === null) {
            return 400;
        }
        if (isset(self::STATES[$event['type'] ?? ''])) {
            $this->orders[$event['data']['object']['metadata']['order']] = self::STATES[$event['type']];
        }
        return 204;
    }
}
