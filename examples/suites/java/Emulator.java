import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * An emulator of qa-pay for each test that runs at the same time. Register it with {@code @RegisterExtension}. A test takes
 * one that no other test uses, and empties it; the first tests start them. They end with this process.
 */
public final class Emulator implements BeforeEachCallback, AfterEachCallback {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final ConcurrentLinkedQueue<Server> FREE = new ConcurrentLinkedQueue<>();

    private record Server(String url, String apiKey) {}

    /** Takes webhooks in the place of an endpoint. */
    public record Collector(String id, String secret) {}

    private Server server;

    @Override
    public void beforeEach(ExtensionContext context) throws Exception {
        var free = FREE.poll();
        server = free == null ? start() : free;
        call("POST", "/_sandbox/reset", "");
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (server != null) FREE.add(server);
    }

    private static Server start() throws IOException, InterruptedException {
        var pid = Long.toString(ProcessHandle.current().pid());
        var started = new ProcessBuilder("qa-pay", "serve", "--detach", "--stop-with", pid, "--port", "0", "--db", ":memory:",
                "--frozen", "--json")
                .directory(Files.createTempDirectory("qa-pay-").toFile()) // its files, apart from those of the project
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var line = new String(started.getInputStream().readAllBytes());
        if (started.waitFor() != 0) throw new IOException("qa-pay could not be started");
        var ready = (Map<?, ?>) new Receiver.Json(line).read();
        return new Server((String) ready.get("url"), (String) ready.get("test_key"));
    }

    public String url() {
        return server.url();
    }

    public String apiKey() {
        return server.apiKey();
    }

    public Map<?, ?> call(String method, String path, String body) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(url() + path))
                .header("apikey", apiKey())
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        var answer = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) throw new IOException(method + " " + path + ": " + answer.body());
        return answer.body().isEmpty() ? Map.of() : (Map<?, ?>) new Receiver.Json(answer.body()).read();
    }

    public void pay(String charge) throws IOException, InterruptedException {
        call("POST", "/_sandbox/charges/" + charge + "/pay", "{}");
    }

    /** Moves the clock. When it returns, everything is done that fell due, deliveries included. */
    public void advance(Duration by) throws IOException, InterruptedException {
        call("POST", "/_sandbox/clock/advance", "{\"seconds\":" + by.toSeconds() + "}");
    }

    public Collector collect(String event) throws IOException, InterruptedException {
        var created = call("POST", "/_sandbox/collectors", "{\"events\":[\"" + event + "\"]}");
        return new Collector((String) created.get("id"), (String) created.get("secret"));
    }

    public List<?> webhooks(Collector from) throws IOException, InterruptedException {
        advance(Duration.ZERO); // what is on its way arrives
        return (List<?>) call("GET", "/_sandbox/collectors/" + from.id() + "/webhooks", "").get("data");
    }
}
