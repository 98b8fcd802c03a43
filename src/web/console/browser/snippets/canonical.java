import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class Webhook {
    // body: the bytes as they came, before parsing
    static boolean isGenuine(byte[] body, String header, String secret) throws Exception {
        String t = header.replaceAll("^t=(\\d+),.*$", "$1");
        byte[] given = HexFormat.of().parseHex(header.replaceAll("^.*v1=", ""));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        mac.update((t + ".").getBytes(StandardCharsets.UTF_8));
        boolean isSigned = MessageDigest.isEqual(mac.doFinal(body), given);
        return isSigned && Math.abs(System.currentTimeMillis() / 1000 - Long.parseLong(t)) <= 300;
    }
}
