<?php

// The receiver, tested without a server: `qa-pay` makes and signs the webhooks.

declare(strict_types=1);

require_once __DIR__ . '/receiver.php';

use PHPUnit\Framework\TestCase;

final class ReceiverTest extends TestCase
{
    private const SECRET = '5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a';
    private const WRONG_SECRET = '6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b6b';

    private static string $paid;

    public static function setUpBeforeClass(): void
    {
        self::$paid = self::qaPay(['webhooks', 'sample', 'charge.paid']);
    }

    public function testAGenuineWebhookIsBelieved(): void
    {
        $event = $this->verified($this->signed());
        $this->assertSame(['charge.paid', 'paid'], [$event['type'], $event['data']['object']['status']]);
    }

    public function testAWebhookWithAnotherSecretIsRefused(): void
    {
        $this->assertNull($this->verified($this->signed(self::WRONG_SECRET)));
    }

    public function testAWebhookThatWasRecordedLongAgoIsRefused(): void
    {
        $this->assertNull($this->verified($this->signed(self::SECRET, ['--at', '2020-01-01T00:00:00Z'])));
    }

    public function testAWebhookWithAChangedBodyIsRefused(): void
    {
        $webhook = $this->signed();
        $this->assertNull($this->verified(['body' => str_replace('paid', 'PAID', $webhook['body'])] + $webhook));
    }

    private function verified(array $webhook): ?array
    {
        return verified($webhook['body'], $webhook['headers']['x-qa-signature'], [self::SECRET]);
    }

    /** Headers and body of the event, as the service sends them. */
    private function signed(string $secret = self::SECRET, array $flags = []): array
    {
        $signed = self::qaPay(['webhooks', 'sign', '--secret', $secret, '--json', ...$flags], self::$paid);
        return json_decode($signed, true, 8, JSON_THROW_ON_ERROR);
    }

    private static function qaPay(array $words, string $input = ''): string
    {
        $process = proc_open(['qa-pay', ...$words], [['pipe', 'r'], ['pipe', 'w']], $pipes);
        fwrite($pipes[0], $input);
        fclose($pipes[0]);
        $output = stream_get_contents($pipes[1]);
        self::assertSame(0, proc_close($process));
        return $output;
    }
}
