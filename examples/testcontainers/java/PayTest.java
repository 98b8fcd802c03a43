import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.testcontainers.Testcontainers;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/** qa-pay in a container, and webhooks to a receiver in the process of the test. */
class PayTest {
  private static final String KEY = "qa_test_of_the_container";

  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  void aPaidChargeIsToldToTheShop() throws Exception {
    List<String> types = new CopyOnWriteArrayList<>();
    HttpServer receiver = HttpServer.create(new InetSocketAddress(0), 0);
    receiver.createContext("/webhooks", exchange -> {
      types.add(exchange.getRequestHeaders().getFirst("X-QA-Event-Type"));
      exchange.sendResponseHeaders(204, -1);
      exchange.close();
    });
    receiver.start();
    int port = receiver.getAddress().getPort();
    // The container reaches this machine by the name host.testcontainers.internal.
    Testcontainers.exposeHostPorts(port);

    try (GenericContainer<?> pay = new GenericContainer<>(DockerImageName.parse("qa-pay"))
        .withExposedPorts(4600)
        .withEnv("QA_PAY_ALLOW_HTTP", "host.testcontainers.internal")
        .withCommand(
            "serve", "--host", "0.0.0.0", "--db", ":memory:", "--test-key", KEY,
            "--forward-to", "http://host.testcontainers.internal:" + port + "/webhooks",
            "--events", "charge.paid")
        .waitingFor(Wait.forHttp("/openapi.json").forPort(4600))) {
      pay.start();
      String baseUrl = "http://127.0.0.1:" + pay.getMappedPort(4600);
      String charge = post(baseUrl, "/v1/charges", "{\"amount\":1990,\"payment_method\":\"pix\"}");
      var id = Pattern.compile("\"id\":\"(ch_[^\"]+)\"").matcher(charge);
      assertTrue(id.find(), charge);
      post(baseUrl, "/_sandbox/charges/" + id.group(1) + "/pay", "{}");
      // Everything that is due has been sent when this is answered.
      post(baseUrl, "/_sandbox/clock/advance", "{\"seconds\":0}");
      assertEquals(List.of("charge.paid"), types);
    } finally {
      receiver.stop(0);
    }
  }

  private String post(String baseUrl, String path, String body) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(baseUrl + path))
        .header("apikey", KEY)
        .header("Content-Type", "application/json")
        .header("Idempotency-Key", path)
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
    return client.send(request, BodyHandlers.ofString()).body();
  }
}
