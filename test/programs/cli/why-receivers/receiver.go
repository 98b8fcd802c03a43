// A receiver with the mistake that the path names, /mistake/secret. It answers 204 or 401.
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"hash"
	"io"
	"net/http"
	"os"
	"strings"
)

func digest(key []byte, text string, algorithm func() hash.Hash) []byte {
	mac := hmac.New(algorithm, key)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

func expected(mistake, key, t, body string) string {
	bytesOf, text, algorithm := []byte(key), t+"."+body, sha256.New
	switch mistake {
	case "hex":
		bytesOf, _ = hex.DecodeString(key)
	case "printed":
		var value map[string]any
		json.Unmarshal([]byte(body), &value)
		again, _ := json.Marshal(value)
		text = t + "." + string(again)
	case "indented":
		var out bytes.Buffer
		json.Indent(&out, []byte(body), "", "  ")
		text = t + "." + out.String()
	case "no-timestamp":
		text = body
	case "digest-base64":
		return base64.StdEncoding.EncodeToString(digest(bytesOf, text, algorithm))
	case "sha512":
		algorithm = sha512.New
	}
	return hex.EncodeToString(digest(bytesOf, text, algorithm))
}

func main() {
	http.HandleFunc("/", func(response http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		path := strings.Split(request.URL.Path, "/")
		t, v1, _ := strings.Cut(strings.TrimPrefix(request.Header.Get("X-QA-Signature"), "t="), ",v1=")
		if expected(path[1], path[2], t, string(body)) == v1 {
			response.WriteHeader(204)
			return
		}
		response.WriteHeader(401)
	})
	http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil)
}
