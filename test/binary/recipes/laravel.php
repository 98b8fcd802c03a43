<?php
// The routes of a recipe in a small application of Laravel. Each line of standard input is a request, and each line of
// standard output its answer: php laravel.php api.php
declare(strict_types=1);

use Illuminate\Contracts\Debug\ExceptionHandler;
use Illuminate\Foundation\Application;
use Illuminate\Foundation\Exceptions\Handler;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Facade;

require 'GuzzleHttp/autoload.php';
require 'Illuminate/autoload.php';

$app = new Application(getcwd());
$app->instance('config', new Illuminate\Config\Repository([
    'services' => ['qa_pay' => [
        'url' => getenv('QA_PAY_BASE_URL'),
        'key' => getenv('QA_PAY_API_KEY'),
        'secret' => getenv('QA_PAY_WEBHOOK_SECRET'),
    ]],
    'logging' => ['default' => 'test', 'channels' => ['test' => ['driver' => 'errorlog']]],
    'view' => ['paths' => [], 'compiled' => getcwd()],
    'app' => ['debug' => false],
]));
$app->instance('env', 'testing');
$app->register(Illuminate\Filesystem\FilesystemServiceProvider::class);
$app->register(Illuminate\View\ViewServiceProvider::class);
$app->singleton(ExceptionHandler::class, Handler::class);
Facade::setFacadeApplication($app);
require $argv[1];

while (($line = fgets(STDIN)) !== false) {
    $sent = json_decode($line, true, 32, JSON_THROW_ON_ERROR);
    $server = ['CONTENT_TYPE' => 'application/json', 'HTTP_ACCEPT' => 'application/json'];
    foreach ($sent['headers'] as $name => $value) {
        $server['HTTP_' . strtoupper(strtr($name, '-', '_'))] = $value;
    }
    $request = Request::create($sent['path'], 'POST', [], [], [], $server, $sent['body']);
    $app->instance('request', $request);
    try {
        $answer = $app['router']->dispatch($request);
    } catch (Throwable $error) {
        $answer = $app[ExceptionHandler::class]->render($request, $error);
    }
    echo json_encode(['status' => $answer->getStatusCode(), 'body' => $answer->getContent()], JSON_THROW_ON_ERROR), "\n";
}
