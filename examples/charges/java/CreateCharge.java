import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.regex.Pattern;

/** Creates a Pix charge with nothing but Java 17: QA_PAY_BASE_URL=... QA_PAY_API_KEY=... java CreateCharge.java */
public class CreateCharge {
    private static final int TRIES = 3;
    private static final HttpClient CLIENT = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

    /** Creates a charge. The order names it: a repetition answers the same charge and makes no second one. */
    static String createCharge(String orderId, int amount, String customerName) throws IOException, InterruptedException {
        // Java has no JSON of its own. In an application, let Jackson or Gson write and read it.
        String body = """
            {"amount": %d, "payment_method": "pix", "customer": {"name": "%s"}, "metadata": {"order": "%s"}}"""
            .formatted(amount, customerName, orderId);
        HttpRequest request = HttpRequest.newBuilder(URI.create(System.getenv("QA_PAY_BASE_URL") + "/v1/charges"))
            .header("apikey", System.getenv("QA_PAY_API_KEY"))
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", "charge-for-" + orderId)
            .timeout(Duration.ofSeconds(10))
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
        for (int attempt = 1; ; attempt++) {
            HttpResponse<String> response;
            try {
                response = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
            } catch (IOException lost) { // whether it was created is unknown, so send it again
                if (attempt == TRIES) throw lost;
                continue;
            }
            if (response.statusCode() >= 500 && attempt < TRIES) continue;
            if (response.statusCode() < 300) return response.body();
            throw new IOException(field(response.body(), "code") + ": " + field(response.body(), "message")
                + " (" + field(response.body(), "request_id") + ")");
        }
    }

    static String field(String json, String name) {
        var found = Pattern.compile("\"" + name + "\":\"((?:[^\"\\\\]|\\\\.)*)\"").matcher(json);
        return found.find() ? found.group(1) : "";
    }

    public static void main(String[] arguments) throws Exception {
        String charge = createCharge("order-42", 1990, "Maria Silva"); // centavos
        System.out.println(field(charge, "id") + " " + field(charge, "status"));
        System.out.println(field(charge, "br_code"));
    }
}
