<?php

declare(strict_types=1);

require_once __DIR__ . '/receiver.php';
require_once __DIR__ . '/Emulator.php';
require_once __DIR__ . '/Shop.php';

use PHPUnit\Framework\TestCase;

final class IsolationTest extends TestCase
{
    /** @dataProvider runs */
    public function testEveryTestBeginsWithAnEmptyEmulator(): void
    {
        $emulator = Emulator::anew();
        $shop = new Shop($emulator->url, $emulator->apiKey, []);
        $this->assertSame(0, $emulator->call('GET', '/v1/payments')['total']);
        $shop->buy('order-1', 1990);
        $this->assertSame(1, $emulator->call('GET', '/v1/payments')['total']);
    }

    public function runs(): array
    {
        return [[1], [2]];
    }
}
