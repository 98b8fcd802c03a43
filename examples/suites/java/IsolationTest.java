import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.extension.RegisterExtension;

class IsolationTest {
    @RegisterExtension
    final Emulator emulator = new Emulator();

    @RepeatedTest(2)
    void everyTestBeginsWithAnEmptyEmulator() throws Exception {
        assertEquals(0L, emulator.call("GET", "/v1/payments", "").get("total"));
        new Shop(emulator.url(), emulator.apiKey()).buy("order-1", 1990);
        assertEquals(1L, emulator.call("GET", "/v1/payments", "").get("total"));
    }
}
