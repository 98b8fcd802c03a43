<?php

declare(strict_types=1);

/** An emulator of qa-pay for the tests of one process, with the functions that tests need. It ends with this process. */
final class Emulator
{
    private static ?self $own = null;

    public readonly string $url;
    public readonly string $apiKey;

    /** The emulator of this process, empty again. ParaTest starts a process for each worker. */
    public static function anew(): self
    {
        self::$own ??= new self();
        self::$own->call('POST', '/_sandbox/reset');
        return self::$own;
    }

    private function __construct()
    {
        $pid = (string) getmypid();
        $folder = sys_get_temp_dir() . "/qa-pay-$pid-" . bin2hex(random_bytes(4)); // its files, apart from those of the project
        mkdir($folder, 0700);
        $flags = ['--detach', '--stop-with', $pid, '--port', '0', '--db', ':memory:', '--frozen', '--json'];
        $started = proc_open(['qa-pay', 'serve', ...$flags], [1 => ['pipe', 'w']], $pipes, $folder);
        $line = stream_get_contents($pipes[1]);
        if (proc_close($started) !== 0) {
            throw new RuntimeException('qa-pay could not be started.');
        }
        $ready = json_decode($line, true, 8, JSON_THROW_ON_ERROR);
        [$this->url, $this->apiKey] = [$ready['url'], $ready['test_key']];
    }

    public function call(string $method, string $path, ?array $body = null): ?array
    {
        $answer = file_get_contents($this->url . $path, false, stream_context_create(['http' => [
            'method' => $method,
            'header' => ["apikey: $this->apiKey", 'Content-Type: application/json'],
            'content' => $body === null ? '' : json_encode((object) $body, JSON_THROW_ON_ERROR),
        ]]));
        if ($answer === false) {
            throw new RuntimeException("$method $path was refused.");
        }
        return $answer === '' ? null : json_decode($answer, true, 64, JSON_THROW_ON_ERROR);
    }

    public function pay(string $charge): void
    {
        $this->call('POST', "/_sandbox/charges/$charge/pay", []);
    }

    /** Moves the clock. When it returns, everything is done that fell due, deliveries included. */
    public function advance(int $seconds): void
    {
        $this->call('POST', '/_sandbox/clock/advance', ['seconds' => $seconds]);
    }

    /** Takes webhooks in the place of an endpoint. */
    public function collect(string ...$events): array
    {
        return $this->call('POST', '/_sandbox/collectors', ['events' => $events]);
    }

    public function webhooks(array $collector): array
    {
        $this->advance(0); // what is on its way arrives
        return $this->call('GET', "/_sandbox/collectors/$collector[id]/webhooks")['data'];
    }
}
