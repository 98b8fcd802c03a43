// The receiver, tested without a server: `qa-pay` makes and signs the webhooks.

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ReceiverTest {
    private static final String SECRET = "5a".repeat(32);
    private static final String WRONG_SECRET = "6b".repeat(32);

    private static String paid;

    @BeforeAll
    static void sample() throws Exception {
        paid = qaPay("", List.of("webhooks", "sample", "charge.paid"));
    }

    record Webhook(String body, String signature) {
        Optional<Map<?, ?>> verified() {
            return new Receiver(List.of(SECRET), Clock.systemUTC()).verified(body.getBytes(StandardCharsets.UTF_8), signature);
        }
    }

    @Test
    void aGenuineWebhookIsBelieved() throws Exception {
        assertEquals(Optional.of("charge.paid"), signed(SECRET).verified().map(event -> event.get("type")));
    }

    @Test
    void aWebhookWithAnotherSecretIsRefused() throws Exception {
        assertEquals(Optional.empty(), signed(WRONG_SECRET).verified());
    }

    @Test
    void aWebhookThatWasRecordedLongAgoIsRefused() throws Exception {
        assertEquals(Optional.empty(), signed(SECRET, "--at", "2020-01-01T00:00:00Z").verified());
    }

    @Test
    void aWebhookWithAChangedBodyIsRefused() throws Exception {
        var webhook = signed(SECRET);
        var changed = new Webhook(webhook.body().replace("paid", "PAID"), webhook.signature());
        assertEquals(Optional.empty(), changed.verified());
    }

    /** Body and signature of the event, as the service sends it. */
    private static Webhook signed(String secret, String... flags) throws Exception {
        var words = new ArrayList<>(List.of("webhooks", "sign", "--secret", secret, "--json"));
        words.addAll(List.of(flags));
        var webhook = (Map<?, ?>) new Receiver.Json(qaPay(paid, words)).read();
        return new Webhook((String) webhook.get("body"), (String) ((Map<?, ?>) webhook.get("headers")).get("x-qa-signature"));
    }

    private static String qaPay(String input, List<String> words) throws Exception {
        var command = new ArrayList<>(List.of("qa-pay"));
        command.addAll(words);
        var process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (var stdin = process.getOutputStream()) {
            stdin.write(input.getBytes(StandardCharsets.UTF_8));
        }
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor());
        return output;
    }
}
