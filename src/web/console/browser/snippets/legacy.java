import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class Webhook {
    // body: the bytes as they came, before parsing
    static boolean isGenuine(byte[] body, String header, String secret) throws Exception {
        byte[] given = HexFormat.of().parseHex(header.replace("sha256=", ""));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        return MessageDigest.isEqual(mac.doFinal(body), given);
    }
}
