// POSTs to <origin>/<n> for each n below <count>, and prints one verdict a line.
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	count, _ := strconv.Atoi(os.Args[2])
	client := http.Client{
		Timeout:       2 * time.Second,
		Transport:     &http.Transport{DisableKeepAlives: true, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	for n := 0; n < count; n++ {
		answer, err := client.Post(fmt.Sprintf("%s/%d", os.Args[1], n), "text/plain", strings.NewReader("x"))
		if err != nil {
			fmt.Println("refused")
			continue
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil {
			fmt.Printf("%d, cut\n", answer.StatusCode)
		} else {
			fmt.Printf("%d, %d bytes\n", answer.StatusCode, len(body))
		}
	}
}
