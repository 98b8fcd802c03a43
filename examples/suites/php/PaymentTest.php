<?php

declare(strict_types=1);

require_once __DIR__ . '/receiver.php';
require_once __DIR__ . '/Emulator.php';
require_once __DIR__ . '/Shop.php';

use PHPUnit\Framework\TestCase;

final class PaymentTest extends TestCase
{
    private Emulator $emulator;

    protected function setUp(): void
    {
        $this->emulator = Emulator::anew();
    }

    public function testAnOrderIsPaidWhenTheWebhookSaysSo(): void
    {
        $collector = $this->emulator->collect('charge.paid');
        $shop = $this->shop($collector['secret']);
        $this->emulator->pay($shop->buy('order-1', 1990));
        $this->assertSame(['order-1' => 'open'], $shop->orders);
        $this->assertSame([204], $this->receive($shop, $collector));
        $this->assertSame(['order-1' => 'paid'], $shop->orders);
    }

    public function testAnOrderIsCancelledWhenItsChargeExpires(): void
    {
        $collector = $this->emulator->collect('charge.expired');
        $shop = $this->shop($collector['secret']);
        $shop->buy('order-1', 1990);
        $this->emulator->advance(24 * 60 * 60);
        $this->assertSame([204], $this->receive($shop, $collector));
        $this->assertSame(['order-1' => 'cancelled'], $shop->orders);
    }

    private function shop(string $secret): Shop
    {
        return new Shop($this->emulator->url, $this->emulator->apiKey, [$secret]);
    }

    /** Hands the shop what was collected. Returns its answers. */
    private function receive(Shop $shop, array $collector): array
    {
        return array_map(
            fn (array $webhook) => $shop->receive($webhook['body'], $webhook['headers']['x-qa-signature']),
            $this->emulator->webhooks($collector),
        );
    }
}
