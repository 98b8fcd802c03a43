import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A shop that takes Pix: what the tests of this folder test. */
public final class Shop {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final Map<String, String> STATES = Map.of("charge.paid", "paid", "charge.expired", "cancelled");

    final Map<String, String> orders = new ConcurrentHashMap<>();
    private final String baseUrl;
    private final String apiKey;

    Shop(String baseUrl, String apiKey) {
        this.baseUrl = baseUrl;
        this.apiKey = apiKey;
    }

    /** Places an order of so many centavos. Returns the id of its charge. */
    String buy(String order, int amount) throws IOException, InterruptedException {
        var body = """
            {"amount": %d, "payment_method": "pix", "metadata": {"order": "%s"}}""".formatted(amount, order);
        var request = HttpRequest.newBuilder(URI.create(baseUrl + "/v1/charges"))
                .header("apikey", apiKey)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", "charge-for-" + order)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        var answer = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) throw new IOException(answer.body());
        orders.put(order, "open");
        return (String) ((Map<?, ?>) new Receiver.Json(answer.body()).read()).get("id");
    }

    /** Handles an event that the receiver has verified. */
    void handle(Map<?, ?> event) {
        var state = STATES.get(event.get("type"));
        if (state == null) return;
        var charge = (Map<?, ?>) ((Map<?, ?>) event.get("data")).get("object");
        orders.put((String) ((Map<?, ?>) charge.get("metadata")).get("order"), state);
    }
}
