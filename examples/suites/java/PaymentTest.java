import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PaymentTest {
    @RegisterExtension
    final Emulator emulator = new Emulator();

    Shop shop;

    @BeforeEach
    void openShop() {
        shop = new Shop(emulator.url(), emulator.apiKey());
    }

    @Test
    void anOrderIsPaidWhenTheWebhookSaysSo() throws Exception {
        var collector = emulator.collect("charge.paid");
        emulator.pay(shop.buy("order-1", 1990));
        assertEquals(Map.of("order-1", "open"), shop.orders);
        receiveOne(collector);
        assertEquals(Map.of("order-1", "paid"), shop.orders);
    }

    @Test
    void anOrderIsCancelledWhenItsChargeExpires() throws Exception {
        var collector = emulator.collect("charge.expired");
        shop.buy("order-1", 1990);
        emulator.advance(Duration.ofDays(1));
        receiveOne(collector);
        assertEquals(Map.of("order-1", "cancelled"), shop.orders);
    }

    /** Hands the receiver of the shop the one webhook that was collected. */
    private void receiveOne(Emulator.Collector collector) throws Exception {
        var webhooks = emulator.webhooks(collector);
        assertEquals(1, webhooks.size());
        var webhook = (Map<?, ?>) webhooks.get(0);
        var body = ((String) webhook.get("body")).getBytes(StandardCharsets.UTF_8);
        var signature = (String) ((Map<?, ?>) webhook.get("headers")).get("x-qa-signature");
        shop.handle(new Receiver(List.of(collector.secret()), Clock.systemUTC()).verified(body, signature).orElseThrow());
    }
}
