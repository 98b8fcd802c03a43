<?php
// Laravel: routes/api.php. config/services.php has 'qa_pay' => ['url' => env('QA_PAY_BASE_URL'), 'key' => env('QA_PAY_API_KEY'),
// 'secret' => env('QA_PAY_WEBHOOK_SECRET')].

use Illuminate\Http\Request;
use Illuminate\Support\Facades\Http;
use Illuminate\Support\Facades\Log;
use Illuminate\Support\Facades\Route;

Route::post('/orders/{id}/charge', function (string $id) {
    $qaPay = config('services.qa_pay');
    $body = ['amount' => 1990, 'payment_method' => 'pix', 'metadata' => ['order' => $id]]; // centavos, from your database
    $answer = Http::withHeaders(['apikey' => $qaPay['key'], 'Idempotency-Key' => "charge-for-$id"])
        ->timeout(10)
        ->post("{$qaPay['url']}/v1/charges", $body);

    return response($answer->body(), $answer->status())->header('Content-Type', 'application/json');
});

Route::post('/webhooks', function (Request $request) {
    $body = $request->getContent(); // as it came: a parsed body cannot be verified
    $isSignature = preg_match('/^t=(\d{1,15}),v1=([0-9a-f]{64})$/D', (string) $request->header('X-QA-Signature'), $found);
    [, $t, $digest] = $isSignature ? $found : ['', '0', ''];
    $wanted = hash_hmac('sha256', "$t.$body", config('services.qa_pay.secret'));
    abort_unless(hash_equals($wanted, $digest) && abs(time() - (int) $t) <= 300, 400, 'The signature does not fit.');

    $event = json_decode($body, true, 32, JSON_THROW_ON_ERROR);
    // The id of an event is the same in every repetition: keep it in a column that is unique.
    if ($event['type'] === 'charge.paid') {
        Log::info("paid {$event['data']['object']['id']} {$event['id']}");
    }

    return response()->noContent();
});
