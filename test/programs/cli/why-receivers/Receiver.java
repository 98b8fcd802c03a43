// A receiver with the mistake that the path names, /mistake/secret. It answers 204 or 401.
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class Receiver {
  static byte[] digest(byte[] key, String text) throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
  }

  static String expected(String mistake, String key, String t, String body) throws Exception {
    byte[] text = key.getBytes(StandardCharsets.UTF_8);
    String signed = t + "." + body;
    return switch (mistake) {
      case "hex" -> HexFormat.of().formatHex(digest(HexFormat.of().parseHex(key), signed));
      case "upper-case" -> HexFormat.of().withUpperCase().formatHex(digest(text, signed));
      case "digest-base64" -> Base64.getEncoder().encodeToString(digest(text, signed));
      case "no-timestamp" -> HexFormat.of().formatHex(digest(text, body));
      case "empty" -> HexFormat.of().formatHex(digest(text, t + "."));
      default -> HexFormat.of().formatHex(digest(text, signed));
    };
  }

  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(System.getenv("PORT"));
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
    server.createContext("/", exchange -> {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      String[] path = exchange.getRequestURI().getPath().split("/");
      String[] parts = exchange.getRequestHeaders().getFirst("X-QA-Signature").split("t=|,v1=");
      int status = 500;
      try {
        String v1 = parts.length > 2 ? parts[2] : "";
        status = expected(path[1], path[2], parts.length > 1 ? parts[1] : "", body).equals(v1) ? 204 : 401;
      } catch (Exception error) {
        error.printStackTrace();
      }
      exchange.sendResponseHeaders(status, -1);
      exchange.close();
    });
    server.start();
  }
}
