export const handler = async (event) => ({ statusCode: 404, body: `no ${event.rawPath} (${event.routeKey})` });
