import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A receiver of webhooks with nothing but Java 17: PORT=3000 QA_PAY_WEBHOOK_SECRET=... java Receiver.java
 *
 * <p>During a rotation QA_PAY_WEBHOOK_SECRET has both secrets: new,old
 */
public class Receiver {
    private static final Duration TOLERANCE = Duration.ofMinutes(5);
    private static final int MAX_BODY_BYTES = 1024 * 1024;
    private static final Pattern LEGACY = Pattern.compile("sha256=([0-9a-f]{64})");
    private static final Pattern CANONICAL = Pattern.compile("t=([0-9]{1,15}),v1=([0-9a-f]{64})");

    private final List<String> secrets;
    private final Clock clock;
    private final ExecutorService worker = Executors.newSingleThreadExecutor();

    // In memory, so that the example stays short. A real receiver has a table with a unique key, and writes key and event
    // in one transaction before it answers: then no event is lost or handled twice when the process ends.
    private final Set<String> seen = new HashSet<>();

    /** A test gives a clock of its own. */
    Receiver(List<String> secrets, Clock clock) {
        this.secrets = secrets;
        this.clock = clock;
    }

    public static void main(String[] args) throws IOException {
        var secrets = Stream.of(System.getenv().getOrDefault("QA_PAY_WEBHOOK_SECRET", "").split(","))
                .filter(secret -> !secret.isEmpty()).toList();
        if (secrets.isEmpty()) {
            System.err.println("Set QA_PAY_WEBHOOK_SECRET.");
            System.exit(1);
        }
        var receiver = new Receiver(secrets, Clock.systemUTC());
        int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "3000"));
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(Executors.newFixedThreadPool(16));
        server.createContext("/webhooks", receiver::handle);
        server.start();
        System.out.println("Listening at http://127.0.0.1:" + server.getAddress().getPort() + "/webhooks");
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.sendResponseHeaders(answerTo(exchange), -1);
        }
    }

    private int answerTo(HttpExchange exchange) throws IOException {
        if (!exchange.getRequestMethod().equals("POST")) return 405;
        byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY_BYTES + 1);
        if (body.length > MAX_BODY_BYTES) return 413;
        var headers = exchange.getRequestHeaders();
        var signature = Objects.requireNonNullElse(headers.getFirst("X-QA-Signature"), "");
        var event = verified(body, signature);
        if (event.isEmpty()) return 400;
        accept(event.get(), keysOf(event.get(), body, headers.getFirst("X-QA-Delivery-Id")));
        return 204; // at once: the service waits 30 seconds and then sends the event again
    }

    /** The event of a genuine webhook of either family. The body is the bytes as they came. */
    Optional<Map<?, ?>> verified(byte[] body, String signature) {
        var legacy = LEGACY.matcher(signature);
        if (legacy.matches()) {
            if (!isSigned(legacy.group(1), body)) return Optional.empty();
            return parsed(body).filter(event -> event.get("event") instanceof String && !event.containsKey("type"));
        }
        var canonical = CANONICAL.matcher(signature);
        if (!canonical.matches()) return Optional.empty();
        var t = canonical.group(1);
        if (!isSigned(canonical.group(2), (t + ".").getBytes(StandardCharsets.US_ASCII), body)) return Optional.empty();
        var age = Duration.between(Instant.ofEpochSecond(Long.parseLong(t)), clock.instant()).abs();
        if (age.compareTo(TOLERANCE) > 0) return Optional.empty(); // recorded, and sent again
        return parsed(body).filter(event -> event.get("type") instanceof String && event.get("id") instanceof String);
    }

    /** Whether one of the secrets has signed the bytes. The digest is compared in constant time. */
    private boolean isSigned(String digest, byte[]... parts) {
        return secrets.stream().anyMatch(secret -> {
            try {
                var mac = Mac.getInstance("HmacSHA256");
                // The secret as text, not decoded from hex.
                mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
                for (var part : parts) mac.update(part);
                return MessageDigest.isEqual(mac.doFinal(), HexFormat.of().parseHex(digest));
            } catch (GeneralSecurityException error) {
                throw new IllegalStateException(error);
            }
        });
    }

    private static Optional<Map<?, ?>> parsed(byte[] body) {
        try {
            var text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
            return new Json(text).read() instanceof Map<?, ?> event ? Optional.of(event) : Optional.empty();
        } catch (CharacterCodingException | IllegalArgumentException error) {
            return Optional.empty();
        }
    }

    /**
     * Keys that repetitions share. A canonical event has an id. A legacy one has none: its delivery id is the same in all
     * retries, and its bytes are the same when somebody sends it anew.
     */
    private static List<String> keysOf(Map<?, ?> event, byte[] body, String deliveryId) {
        if (event.get("id") instanceof String id) return List.of(id);
        try {
            var digest = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
            return deliveryId == null ? List.of(digest) : List.of(digest, deliveryId);
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }

    private synchronized void accept(Map<?, ?> event, List<String> keys) {
        boolean isNew = Collections.disjoint(seen, keys);
        seen.addAll(keys);
        if (isNew) worker.execute(() -> work(event)); // an error ends this event only
    }

    /** What your shop does. Events come in any order, and new ones are added without notice: ignore the others. */
    private static void work(Map<?, ?> event) {
        var data = (Map<?, ?>) event.get("data");
        if (event.get("event") instanceof String name) {
            System.out.println("work " + name + " " + data.get("transactionId"));
        } else if ("charge.paid".equals(event.get("type")) && data.get("object") instanceof Map<?, ?> charge) {
            System.out.println("work charge.paid " + event.get("id") + " " + charge.get("id") + " is paid: "
                    + charge.get("amount") + " centavos");
        } else {
            System.out.println("work " + event.get("type") + " " + event.get("id"));
        }
    }

    /** Java has no reader of JSON. A project that has Jackson or Gson uses that. Throws IllegalArgumentException. */
    static final class Json {
        private static final int MAX_DEPTH = 200;
        private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?");
        private final String text;
        private int at = 0;
        private int depth = 0;

        Json(String text) {
            this.text = text;
        }

        Object read() {
            var value = value();
            if (next() != '\0') throw wrong();
            return value;
        }

        private Object value() {
            if (++depth > MAX_DEPTH) throw wrong();
            var value = switch (next()) {
                case '{' -> object();
                case '[' -> list();
                case '"' -> string();
                case 't' -> word("true", Boolean.TRUE);
                case 'f' -> word("false", Boolean.FALSE);
                case 'n' -> word("null", null);
                default -> number();
            };
            depth--;
            return value;
        }

        private Map<String, Object> object() {
            var members = new LinkedHashMap<String, Object>();
            take('{');
            if (taken('}')) return members;
            do {
                if (next() != '"') throw wrong();
                var name = string();
                take(':');
                members.put(name, value());
            } while (taken(','));
            take('}');
            return members;
        }

        private List<Object> list() {
            var items = new ArrayList<Object>();
            take('[');
            if (taken(']')) return items;
            do {
                items.add(value());
            } while (taken(','));
            take(']');
            return items;
        }

        private String string() {
            var result = new StringBuilder();
            take('"');
            while (true) {
                if (at >= text.length()) throw wrong();
                char c = text.charAt(at++);
                if (c == '"') return result.toString();
                if (c < ' ') throw wrong();
                result.append(c == '\\' ? escaped() : c);
            }
        }

        private char escaped() {
            if (at >= text.length()) throw wrong();
            char c = text.charAt(at++);
            int index = "\"\\/bfnrt".indexOf(c);
            if (index >= 0) return "\"\\/\b\f\n\r\t".charAt(index);
            if (c != 'u' || at + 4 > text.length()) throw wrong();
            at += 4;
            return (char) HexFormat.fromHexDigits(text, at - 4, at);
        }

        private Object number() {
            var match = NUMBER.matcher(text).region(at, text.length());
            if (!match.lookingAt()) throw wrong();
            at = match.end();
            boolean isWhole = match.group(2) == null && match.group(3) == null && match.group().length() < 19;
            return isWhole ? (Object) Long.valueOf(match.group()) : new java.math.BigDecimal(match.group());
        }

        private Object word(String word, Object value) {
            if (!text.startsWith(word, at)) throw wrong();
            at += word.length();
            return value;
        }

        /** The next character that is no white space, without taking it; NUL at the end. */
        private char next() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
            return at < text.length() ? text.charAt(at) : '\0';
        }

        private boolean taken(char c) {
            if (next() != c) return false;
            at++;
            return true;
        }

        private void take(char c) {
            if (!taken(c)) throw wrong();
        }

        private IllegalArgumentException wrong() {
            return new IllegalArgumentException("no JSON at " + at);
        }
    }
}
