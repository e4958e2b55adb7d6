// One story by OpenAPI Generator's client for Java: list, a page, a refusal, an unknown id, a webhook endpoint.
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.ConnectionsApi;
import org.openapitools.client.api.TaxAuthorityApi;
import org.openapitools.client.api.WebhooksApi;
import org.openapitools.client.model.CreateWebhookRequest;
import org.openapitools.client.model.ErrorResponse;
import org.openapitools.client.model.EventType;

public class OpenapiGenerator {
  private static final ObjectMapper JSON = new ObjectMapper();

  interface Call {
    void make() throws ApiException;
  }

  private static List<Object> refusal(Call call) throws Exception {
    try {
      call.make();
    } catch (ApiException error) {
      ErrorResponse body = JSON.readValue(error.getResponseBody(), ErrorResponse.class);
      return List.of(error.getCode(), body.getError().getCode().getValue());
    }
    throw new AssertionError("it was not refused");
  }

  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("API"));
    String authorization = "Bearer " + System.getenv("API_KEY");
    client.setRequestInterceptor(request -> request.header("Authorization", authorization));
    TaxAuthorityApi tax = new TaxAuthorityApi(client);
    ConnectionsApi connections = new ConnectionsApi(client);
    UUID connection = UUID.fromString(System.getenv("CONNECTION"));

    var listed = connections.listConnections(null, null, null, null, null, null, null, null, null);
    var page = tax.listTaxRcvDocuments(connection, null, null, null, null, null, null, null, 5, 5);
    var later = LocalDate.of(2026, 10, 2);
    var refused = refusal(
        () -> tax.listTaxRcvDocuments(
            connection, null, null, null, null, null, later, later.minusDays(1), null, null));
    var unknown = refusal(() -> connections.getConnection(UUID.fromString(System.getenv("UNKNOWN"))));
    var body = new CreateWebhookRequest()
        .url(URI.create(System.getenv("HOOK")))
        .eventTypes(Set.of(EventType.SYNC_FAILED));
    var webhook = new WebhooksApi(client).createWebhook(body, null);

    System.out.println(JSON.writeValueAsString(Map.of(
        "name", listed.getData().get(0).getName(),
        "rows", page.getData().size(),
        "total", page.getPagination().getTotal(),
        "refused", refused,
        "unknown", unknown,
        "secret", webhook.getData().getSecret().substring(0, 6))));
  }
}
