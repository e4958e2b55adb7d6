// One story by oapi-codegen: list, a page, a refusal, an unknown id, a webhook endpoint.
package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"time"

	"github.com/google/uuid"
	openapi_types "github.com/oapi-codegen/runtime/types"

	"story/client"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func day(text string) *openapi_types.Date {
	return &openapi_types.Date{Time: must(time.Parse(time.DateOnly, text))}
}

func main() {
	background := context.Background()
	withKey := client.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("API_KEY"))
		return nil
	})
	api := must(client.NewClientWithResponses(os.Getenv("API"), withKey))
	connection := must(uuid.Parse(os.Getenv("CONNECTION")))
	five := 5

	connections := must(api.ListConnectionsWithResponse(background, nil))
	page := must(api.ListTaxRcvDocumentsWithResponse(background, connection,
		&client.ListTaxRcvDocumentsParams{Limit: &five, Offset: &five}))
	refused := must(api.ListTaxRcvDocumentsWithResponse(background, connection,
		&client.ListTaxRcvDocumentsParams{From: day("2026-10-02"), To: day("2026-10-01")}))
	unknown := must(api.GetConnectionWithResponse(background, must(uuid.Parse(os.Getenv("UNKNOWN")))))
	webhook := must(api.CreateWebhookWithResponse(background, &client.CreateWebhookParams{},
		client.CreateWebhookRequest{
			Url:        os.Getenv("HOOK"),
			EventTypes: []client.EventType{"sync.failed"},
		}))

	must(os.Stdout.Write(must(json.Marshal(map[string]any{
		"name":    connections.JSON200.Data[0].Name,
		"rows":    len(page.JSON200.Data),
		"total":   page.JSON200.Pagination.Total,
		"refused": []any{refused.StatusCode(), refused.JSON400.Error.Code},
		"unknown": []any{unknown.StatusCode(), unknown.JSON404.Error.Code},
		"secret":  webhook.JSON201.Data.Secret[:6],
	}))))
}
