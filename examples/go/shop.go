// A shop in Go. Start `npx crypto-checkout serve --sandbox`, and then `go run shop.go`.
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

func setting(name, fallback string) string {
	if value, found := os.LookupEnv(name); found {
		return value
	}
	return fallback
}

var (
	checkout      = setting("CHECKOUT_URL", "http://127.0.0.1:4020")
	secret        = setting("CHECKOUT_SECRET", "sandbox-secret-of-the-merchant-api")
	webhookSecret = setting("CHECKOUT_WEBHOOK_SECRET", "whsec_c2FuZGJveC1zZWNyZXQtb2YtdGhlLXdlYmhvb2tz")
	shop          = setting("SHOP_URL", "http://127.0.0.1:8000")
	events        = setting("SHOP_DATA", "data")
	client        = http.Client{Timeout: 20 * time.Second}
	plainID       = regexp.MustCompile(`^\w[\w-]*$`)
)

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Mug shop</title>
<h1>Mug shop</h1>
<form method="post" action="/buy"><button>Buy a mug</button></form>
<p>Paid: %s</p>
`

type event struct {
	Type string
	Data struct{ OrderID string }
}

// placeOrder places an order, or finds the one with this id. It returns the link of its page.
func placeOrder(orderID string) (string, error) {
	body, err := json.Marshal(map[string]any{
		"orderId": orderID, "amount": "49.90", "currency": "USD", "country": "GB", "description": "Mug",
		"customer": map[string]string{"name": "Ada", "phone": "", "email": "ada@shop.example"},
		// Where the customer goes after the payment.
		"redirectUrl": shop + "/",
	})
	if err != nil {
		return "", err
	}
	request, err := http.NewRequest("POST", checkout+"/orders", bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	request.Header.Set("Authorization", "Bearer "+secret)
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	if response.StatusCode > 299 {
		return "", fmt.Errorf("the order was not placed: %s", response.Status)
	}
	var placed struct{ PayURL string }
	err = json.NewDecoder(response.Body).Decode(&placed)
	return placed.PayURL, err
}

// isGenuine is Standard Webhooks: the request is of `serve`, unchanged, and not older than five minutes.
func isGenuine(body []byte, header http.Header) bool {
	id, sentAt := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(sentAt, 10, 64)
	if err != nil || !plainID.MatchString(id) || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(webhookSecret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", id, sentAt, body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, signature := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(expected), []byte(signature)) {
			return true
		}
	}
	return false
}

// keep keeps each event once, in a file of its own. A repeated event changes nothing.
func keep(id string, body []byte) error {
	if err := os.MkdirAll(events, 0o700); err != nil {
		return err
	}
	temporary := filepath.Join(events, ".new-"+newID())
	defer os.Remove(temporary)
	if err := os.WriteFile(temporary, body, 0o600); err != nil {
		return err
	}
	if err := os.Link(temporary, filepath.Join(events, id+".json")); !errors.Is(err, os.ErrExist) {
		return err
	}
	return nil
}

// paidOrders returns the ids of the paid orders. A real shop ships them.
func paidOrders() []string {
	files, _ := filepath.Glob(filepath.Join(events, "*.json"))
	paid := []string{}
	for _, file := range files {
		var kept event
		if body, err := os.ReadFile(file); err == nil && json.Unmarshal(body, &kept) == nil && kept.Type == "order.paid" {
			paid = append(paid, kept.Data.OrderID)
		}
	}
	return paid
}

func newID() string {
	bytes := make([]byte, 8)
	if _, err := rand.Read(bytes); err != nil {
		panic(err)
	}
	return hex.EncodeToString(bytes)
}

func serve(writer http.ResponseWriter, request *http.Request) {
	switch request.Method + " " + request.URL.Path {
	case "GET /":
		paid := strings.Join(paidOrders(), ", ")
		if paid == "" {
			paid = "none"
		}
		writer.Header().Set("content-type", "text/html; charset=utf-8")
		fmt.Fprintf(writer, page, html.EscapeString(paid))
	case "POST /buy":
		link, err := placeOrder(newID())
		if err != nil {
			http.Error(writer, "the order was not placed", http.StatusBadGateway)
			return
		}
		http.Redirect(writer, request, link, http.StatusSeeOther)
	case "POST /events":
		body, err := io.ReadAll(http.MaxBytesReader(writer, request.Body, 1<<20))
		if err != nil || !isGenuine(body, request.Header) {
			writer.WriteHeader(http.StatusUnauthorized)
		} else if err := keep(request.Header.Get("webhook-id"), body); err != nil {
			writer.WriteHeader(http.StatusInternalServerError)
		} else {
			writer.WriteHeader(http.StatusNoContent)
		}
	default:
		http.NotFound(writer, request)
	}
}

func main() {
	log.Fatal(http.ListenAndServe("127.0.0.1:"+setting("PORT", "8000"), http.HandlerFunc(serve)))
}
