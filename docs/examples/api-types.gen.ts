// Generated from docs/openapi.json by `npm run gen`; do not edit.
export interface paths {
    "/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description The organization's keys, newest created first. Tokens are never included.
         *
         *     Error codes: 401 `unauthorized`, 403 `forbidden`, 500 `internal_error`.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description Only this answer contains the complete token; it cannot be shown again.
         *
         *     Error codes: 400 `invalid_json`, 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 409 `idempotency_key_in_progress`, 409 `idempotency_key_reused`, 413 `payload_too_large`, 415 `unsupported_media_type`, 422 `validation_error`, 500 `internal_error`.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description Effective on the next request. Revoking a revoked key changes nothing and returns it.
         *
         *     Error codes: 401 `unauthorized`, 403 `forbidden`, 404 `api_key_not_found`, 500 `internal_error`.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List connections
         * @description The connections of the organization, newest created first.
         *
         *     Error codes: 401 `unauthorized`, 403 `forbidden`, 500 `internal_error`.
         */
        get: operations["listConnections"];
        put?: never;
        /**
         * Create a connection
         * @description Links the organization to an external source. Credentials are not tried here but by the first sync.
         *
         *     Error codes: 400 `invalid_json`, 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 409 `idempotency_key_in_progress`, 409 `idempotency_key_reused`, 413 `payload_too_large`, 415 `unsupported_media_type`, 422 `validation_error`, 500 `internal_error`.
         */
        post: operations["createConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a connection
         * @description One connection with its enabled scopes, its schedule and the outcome of its latest syncs.
         *
         *     Error codes: 401 `unauthorized`, 403 `forbidden`, 404 `connection_not_found`, 500 `internal_error`.
         */
        get: operations["getConnection"];
        put?: never;
        post?: never;
        /**
         * Delete a connection
         * @description Deletes the connection and its schedule at once; its rows, raw answers, runs and credentials are deleted in the background. Refused while a sync of the connection is queued or running.
         *
         *     Error codes: 401 `unauthorized`, 403 `forbidden`, 404 `connection_not_found`, 409 `connection_sync_in_progress`, 500 `internal_error`.
         */
        delete: operations["deleteConnection"];
        options?: never;
        head?: never;
        /**
         * Change a connection
         * @description Changes what is sent and leaves the rest. New credentials take a connection out of `error`; a disabled one is not synchronized, and when it is enabled again its schedule restarts one period later.
         *
         *     Error codes: 400 `invalid_json`, 401 `unauthorized`, 403 `forbidden`, 404 `connection_not_found`, 413 `payload_too_large`, 415 `unsupported_media_type`, 422 `validation_error`, 500 `internal_error`.
         */
        patch: operations["updateConnection"];
        trace?: never;
    };
    "/connections/{id}/bankone-balances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List balances of bank one
         * @description Balances observed by each sync, newest first. With `latest=true`, only the newest observation of every account and currency, after the other filters, without `pagination`.
         *
         *     Error codes: 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 404 `connection_not_found`, 500 `internal_error`.
         */
        get: operations["listBankoneBalances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/bankone-movements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List account movements of bank one
         * @description The full normalized statement, newest day first within a month, newest month first. Charges are negative and `issued`, credits positive and `received`. Rows of the open month are provisional until the bank closes it.
         *
         *     Error codes: 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 404 `connection_not_found`, 500 `internal_error`.
         */
        get: operations["listBankoneMovements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/bankone-movements/periods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List periods of bankone-movements
         * @description Months (YYYY-MM) for which rows are stored, newest first.
         *
         *     Error codes: 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 404 `connection_not_found`, 500 `internal_error`.
         */
        get: operations["listBankoneMovementPeriods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/bankone-nominas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List bulk payment batches (nóminas) of bank one
         * @description Batches of payments (wages, suppliers, pensions), newest day of payment first within a month, newest month first.
         *
         *     Error codes: 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 404 `connection_not_found`, 500 `internal_error`.
         */
        get: operations["listBankoneNominas"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/bankone-nominas/{nominaId}/pagos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payments of a batch (nómina) of bank one
         * @description Payments of one batch, by their line in it.
         *
         *     Error codes: 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 404 `connection_not_found`, 404 `nomina_not_found`, 500 `internal_error`.
         */
        get: operations["listBankoneNominaPagos"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/bankone-nominas/periods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List periods of bankone-nominas
         * @description Months (YYYY-MM) for which rows are stored, newest first.
         *
         *     Error codes: 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 404 `connection_not_found`, 500 `internal_error`.
         */
        get: operations["listBankoneNominaPeriods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/bankone-transfers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List transfers of bank one
         * @description Electronic transfers received and issued, newest first. Amounts are positive: `direction` says which way the money went.
         *
         *     Error codes: 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 404 `connection_not_found`, 500 `internal_error`.
         */
        get: operations["listBankoneTransfers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/bankone-transfers/periods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List periods of bankone-transfers
         * @description Months (YYYY-MM) for which rows are stored, newest first.
         *
         *     Error codes: 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 404 `connection_not_found`, 500 `internal_error`.
         */
        get: operations["listBankoneTransferPeriods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/bankthree-balances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List balances of bank three
         * @description Balances observed by each sync, newest first. With `latest=true`, only the newest observation of every account and currency, after the other filters, without `pagination`.
         *
         *     Error codes: 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 404 `connection_not_found`, 500 `internal_error`.
         */
        get: operations["listBankthreeBalances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/bankthree-movements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List account movements of bank three
         * @description The full normalized statement, newest day first within a month, newest month first. Charges are negative and `issued`, credits positive and `received`. Rows of the open month are provisional until the bank closes it.
         *
         *     Error codes: 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 404 `connection_not_found`, 500 `internal_error`.
         */
        get: operations["listBankthreeMovements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/bankthree-movements/periods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List periods of bankthree-movements
         * @description Months (YYYY-MM) for which rows are stored, newest first.
         *
         *     Error codes: 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 404 `connection_not_found`, 500 `internal_error`.
         */
        get: operations["listBankthreeMovementPeriods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/banktwo-balances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List balances of bank two
         * @description Balances observed by each sync, newest first. With `latest=true`, only the newest observation of every account and currency, after the other filters, without `pagination`.
         *
         *     Error codes: 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 404 `connection_not_found`, 500 `internal_error`.
         */
        get: operations["listBanktwoBalances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/banktwo-movements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List account movements of bank two
         * @description Movements with their counterparty where the bank tells it, newest day first within a month, newest month first. Charges are negative and `issued`, credits positive and `received`.
         *
         *     Error codes: 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 404 `connection_not_found`, 500 `internal_error`.
         */
        get: operations["listBanktwoMovements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/banktwo-movements/periods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List periods of banktwo-movements
         * @description Months (YYYY-MM) for which rows are stored, newest first.
         *
         *     Error codes: 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 404 `connection_not_found`, 500 `internal_error`.
         */
        get: operations["listBanktwoMovementPeriods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what changed since a cursor
         * @description Rows of the connection's lists that were created, updated or deleted since the cursor; without a cursor every row. Each change comes at least once, and names the row by `id`: store a created or updated one over what you have, and remove a deleted one, in the order in which they come. Then your copy is what the lists show. Keep `feed.next_cursor` together with the copy and continue with it, at once while `feed.has_more` is true, or at the next event of a sync. A page may have fewer changes than `limit`, even none, although more follow. There is no defined order across ids and scopes. Cursors expire only when the service was restored to an earlier time: after `cursor_expired`, start again without a cursor and with an empty copy.
         *
         *     Error codes: 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 404 `connection_not_found`, 410 `cursor_expired`, 500 `internal_error`.
         */
        get: operations["listChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/coverage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the coverage of a connection
         * @description What is stored of each scope and month, when it was last read, and whether it matches the totals that the institution reports itself. One entry for each enabled scope.
         *
         *     Error codes: 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 404 `connection_not_found`, 500 `internal_error`.
         */
        get: operations["getCoverage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/coverage/{scope}/{period}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the coverage of a month
         * @description One month of a scope: what is stored of it, and by group the totals of the institution compared with those of the stored rows.
         *
         *     Error codes: 401 `unauthorized`, 403 `forbidden`, 404 `connection_not_found`, 404 `coverage_not_found`, 500 `internal_error`.
         */
        get: operations["getPeriodCoverage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the sync schedule of a connection
         * @description The first sync comes one period after the schedule is enabled, never at once; sending the same setting again leaves the next sync where it is. A scheduled sync is skipped while another sync of the connection is unfinished, and while the connection is in `error`.
         *
         *     Error codes: 400 `invalid_json`, 401 `unauthorized`, 403 `forbidden`, 404 `connection_not_found`, 413 `payload_too_large`, 415 `unsupported_media_type`, 422 `schedule_invalid_frequency`, 422 `validation_error`, 500 `internal_error`.
         */
        put: operations["setSchedule"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a sync
         * @description Queues a sync of the connection and returns at once. Follow it through its sync run, or by a webhook. A sync may be started while another one runs: syncs of one scope of a connection run one after the other.
         *
         *     Error codes: 400 `invalid_json`, 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 404 `connection_not_found`, 409 `connection_disabled`, 409 `idempotency_key_in_progress`, 409 `idempotency_key_reused`, 413 `payload_too_large`, 415 `unsupported_media_type`, 422 `sync_invalid_metadata`, 422 `sync_invalid_scopes`, 422 `validation_error`, 429 `rate_limited`, 500 `internal_error`.
         */
        post: operations["startSync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/sync-runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sync runs
         * @description The last 10 sync runs of the connection, newest first, with the outcome of each scope.
         *
         *     Error codes: 401 `unauthorized`, 403 `forbidden`, 404 `connection_not_found`, 500 `internal_error`.
         */
        get: operations["listSyncRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/sync-runs/{runId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a sync run
         * @description One sync run: its status, the outcome of each scope, its progress, and its input.
         *
         *     Error codes: 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 404 `connection_not_found`, 404 `sync_run_not_found`, 500 `internal_error`.
         */
        get: operations["getSyncRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/sync-runs/{runId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a sync run
         * @description Ends a queued or running sync; what it stored so far stays. A cancelled run never restarts and sends no webhook. Cancelling a finished run changes nothing and returns it.
         *
         *     Error codes: 400 `invalid_json`, 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 404 `connection_not_found`, 404 `sync_run_not_found`, 409 `idempotency_key_in_progress`, 409 `idempotency_key_reused`, 413 `payload_too_large`, 415 `unsupported_media_type`, 422 `validation_error`, 500 `internal_error`.
         */
        post: operations["cancelSyncRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/tax-boletas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List daily summaries of sales receipts (boletas)
         * @description One row per day and document type, newest day first. A row is overwritten by every sync of its month: `updated_at` is the time of the last one.
         *
         *     Error codes: 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 404 `connection_not_found`, 500 `internal_error`.
         */
        get: operations["listTaxBoletas"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/tax-boletas/periods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List periods of tax-boletas
         * @description Months (YYYY-MM) for which rows are stored, newest first.
         *
         *     Error codes: 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 404 `connection_not_found`, 500 `internal_error`.
         */
        get: operations["listTaxBoletaPeriods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/tax-dispatch-guides": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List dispatch guides
         * @description Dispatch guides issued and received, newest issue date first within a month, newest month first. `q` looks for a part of the counterparty name, the folio or the RUT.
         *
         *     Error codes: 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 404 `connection_not_found`, 500 `internal_error`.
         */
        get: operations["listTaxDispatchGuides"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/tax-dispatch-guides/{guideId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a dispatch guide
         * @description One dispatch guide in full, with the row as the tax authority shows it.
         *
         *     Error codes: 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 404 `connection_not_found`, 404 `dispatch_guide_not_found`, 500 `internal_error`.
         */
        get: operations["getTaxDispatchGuide"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/tax-dispatch-guides/periods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List periods of tax-dispatch-guides
         * @description Months (YYYY-MM) for which rows are stored, newest first.
         *
         *     Error codes: 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 404 `connection_not_found`, 500 `internal_error`.
         */
        get: operations["listTaxDispatchGuidePeriods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/tax-rcv-documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List purchase and sales documents (RCV)
         * @description Documents of the tax authority's purchase and sales register, newest issue date first within a month, newest month first.
         *
         *     Error codes: 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 404 `connection_not_found`, 500 `internal_error`.
         */
        get: operations["listTaxRcvDocuments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/tax-rcv-documents/{documentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a purchase or sales document (RCV)
         * @description One document of the register in full, with the row as the tax authority shows it.
         *
         *     Error codes: 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 404 `connection_not_found`, 404 `rcv_document_not_found`, 500 `internal_error`.
         */
        get: operations["getTaxRcvDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/tax-rcv-documents/periods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List periods of tax-rcv-documents
         * @description Months (YYYY-MM) for which rows are stored, newest first.
         *
         *     Error codes: 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 404 `connection_not_found`, 500 `internal_error`.
         */
        get: operations["listTaxRcvDocumentPeriods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/external-sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List external sources
         * @description Every source that can be connected, with its scopes and the JSON Schemas a connection to it must fit.
         *
         *     Error codes: 400 `validation_error`, 500 `internal_error`.
         */
        get: operations["listExternalSources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Allow or deny what an application asks for
         * @description The request is validated again: if it has changed since the review, the answer is 409 `authorization_changed`, and the person must be asked again. Returns the address of the application at which the browser continues.
         *
         *     Error codes: 400 `invalid_json`, 401 `unauthorized`, 403 `forbidden`, 409 `authorization_changed`, 409 `grant_limit_reached`, 413 `payload_too_large`, 415 `unsupported_media_type`, 422 `validation_error`, 429 `rate_limited`, 500 `internal_error`.
         */
        post: operations["decideAuthorization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List granted applications
         * @description Permissions that people of the organization gave to applications, newest first; a revoked one stays for 30 days. Tokens are never included.
         *
         *     Error codes: 401 `unauthorized`, 403 `forbidden`, 500 `internal_error`.
         */
        get: operations["listGrants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/grants/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a granted application
         * @description Its tokens are refused from the next request on. Revoking a revoked permission changes nothing and returns it.
         *
         *     Error codes: 401 `unauthorized`, 403 `forbidden`, 404 `grant_not_found`, 500 `internal_error`.
         */
        delete: operations["revokeGrant"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/reviews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Judge what an application asks for
         * @description For the page `/authorize` of the dashboard: the application, the requested scope and the redirect target. Changes nothing. A request without a known application or redirect address is refused, without a redirect.
         *
         *     Error codes: 400 `invalid_json`, 401 `unauthorized`, 403 `forbidden`, 413 `payload_too_large`, 415 `unsupported_media_type`, 422 `validation_error`, 429 `rate_limited`, 500 `internal_error`.
         */
        post: operations["reviewAuthorization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get this description
         * @description The machine-readable description of the service (OpenAPI 3.1.0). It changes only with a release: send its `ETag` back in `If-None-Match`, and the answer is 304 until then.
         *
         *     Error codes: 500 `internal_error`.
         */
        get: operations["getOpenapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/procurement/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what changed in tenders since a cursor
         * @description Tenders of which a connection of the organization stored something new since the cursor, by tender, scope and connection; without a cursor all of them. A change says what to read again: the tender, or its list of the scope, as they are served over all connections. `connection_deleted` says that everything the connection had read is deleted: read the tenders again that you know. Each change comes at least once; of several changes of one tender, scope and connection only the last one is listed. Keep `feed.next_cursor` together with what you read, and continue with it.
         *
         *     Error codes: 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 410 `cursor_expired`, 500 `internal_error`.
         */
        get: operations["listTenderChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/procurement/documentos/{documentoId}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a document of a tender
         * @description Redirects to the stored file by a signed URL that is valid for one minute. The id is that of a document of a tender or of an offer. A document whose file could not be fetched is answered as an unknown one.
         *
         *     Error codes: 401 `unauthorized`, 403 `forbidden`, 404 `documento_not_found`, 500 `internal_error`.
         */
        get: operations["downloadDocumento"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/procurement/documentos/{documentoId}/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a link to a document of a tender
         * @description The signed URL that `download` redirects to, for a page that cannot follow the redirect with its key: open it within one minute. The id is that of a document of a tender or of an offer. A document whose file could not be fetched is answered as an unknown one.
         *
         *     Error codes: 401 `unauthorized`, 403 `forbidden`, 404 `documento_not_found`, 500 `internal_error`.
         */
        get: operations["getDocumentoLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/procurement/licitaciones": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tenders
         * @description The tenders that the procurement connections of the organization have read, each once, as last read. Newest `fecha_publicacion` first; at the same instant by code, descending; tenders without it come last, and `from` and `to` leave them out. Only the answer about a single tender has `raw_ficha`.
         *
         *     Error codes: 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 500 `internal_error`.
         */
        get: operations["listLicitaciones"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/procurement/licitaciones/{codigo}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a tender
         * @description The tender with this code as the procurement connections of the organization last read it. The code may be written in upper or lower case.
         *
         *     Error codes: 401 `unauthorized`, 403 `forbidden`, 404 `licitacion_not_found`, 500 `internal_error`.
         */
        get: operations["getLicitacion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/procurement/licitaciones/{codigo}/documentos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List documents of a tender
         * @description Documents attached to the tender, newest found first. Documents of offers are listed with their offer.
         *
         *     Error codes: 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 404 `licitacion_not_found`, 500 `internal_error`.
         */
        get: operations["listLicitacionDocumentos"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/procurement/licitaciones/{codigo}/ofertas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List offers to a tender
         * @description Offers with their documents, newest found first. None are public before the opening.
         *
         *     Error codes: 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 404 `licitacion_not_found`, 500 `internal_error`.
         */
        get: operations["listLicitacionOfertas"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/procurement/licitaciones/{codigo}/preguntas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List questions of a tender
         * @description Questions and answers of the forum of the tender, by number.
         *
         *     Error codes: 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 404 `licitacion_not_found`, 500 `internal_error`.
         */
        get: operations["listLicitacionPreguntas"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints
         * @description The organization's endpoints, newest created first, including disabled ones. Secrets are never included.
         *
         *     Error codes: 401 `unauthorized`, 403 `forbidden`, 500 `internal_error`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description From now on the end of every sync run of these types is sent to the URL, signed. Only this answer contains the signing secret. At most 50 endpoints per organization.
         *
         *     Error codes: 400 `invalid_json`, 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 409 `idempotency_key_in_progress`, 409 `idempotency_key_reused`, 409 `webhook_limit_reached`, 413 `payload_too_large`, 415 `unsupported_media_type`, 422 `validation_error`, 500 `internal_error`.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook endpoint
         * @description One endpoint. Its signing secret is never shown again: roll it to get a new one.
         *
         *     Error codes: 401 `unauthorized`, 403 `forbidden`, 404 `webhook_endpoint_not_found`, 500 `internal_error`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Deletes the endpoint at once. Its waiting deliveries get no further attempt.
         *
         *     Error codes: 401 `unauthorized`, 403 `forbidden`, 404 `webhook_endpoint_not_found`, 500 `internal_error`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook endpoint
         * @description Changes the given fields. `enabled: false` disables the endpoint, and its waiting deliveries fail. Enabling a disabled endpoint again needs a dashboard session and resets its failures. A new URL also applies to waiting retries.
         *
         *     Error codes: 400 `invalid_json`, 401 `unauthorized`, 403 `forbidden`, 404 `webhook_endpoint_not_found`, 413 `payload_too_large`, 415 `unsupported_media_type`, 422 `validation_error`, 500 `internal_error`.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook endpoint
         * @description The newest 1,000 of the last 90 days, newest created first.
         *
         *     Error codes: 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 404 `webhook_endpoint_not_found`, 500 `internal_error`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries/{deliveryId}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a failed delivery again
         * @description One attempt, at once, with the same `webhook-id` and the same body, to the present URL and signed with the present secret. No automatic retries follow it.
         *
         *     Error codes: 400 `invalid_json`, 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 404 `webhook_delivery_not_found`, 404 `webhook_endpoint_not_found`, 409 `idempotency_key_in_progress`, 409 `idempotency_key_reused`, 409 `webhook_delivery_not_failed`, 409 `webhook_endpoint_disabled`, 413 `payload_too_large`, 415 `unsupported_media_type`, 422 `validation_error`, 500 `internal_error`.
         */
        post: operations["resendWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/roll-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the signing secret
         * @description The former secret is invalid at once: every attempt from now on, including retries of older events, is signed with the new one. Only this answer contains it.
         *
         *     Error codes: 400 `invalid_json`, 400 `validation_error`, 401 `unauthorized`, 403 `forbidden`, 404 `webhook_endpoint_not_found`, 409 `idempotency_key_in_progress`, 409 `idempotency_key_reused`, 413 `payload_too_large`, 415 `unsupported_media_type`, 422 `validation_error`, 500 `internal_error`.
         */
        post: operations["rollWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        ApiKey: {
            /** Format: uuid */
            id: string;
            /** @example Accounting system */
            name: string;
            /**
             * @description First characters of the token, to recognize it.
             * @example svc_sk_Q3fT9a
             */
            display_prefix: string;
            /** @enum {string} */
            status: "active" | "revoked" | "expired";
            /**
             * Format: date-time
             * @description Accurate to the minute.
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description The key is refused from this time on. Null if it never expires.
             * @example 2027-10-14T12:30:00.000Z
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             * @example null
             */
            revoked_at: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            created_at: string;
        };
        BankoneBalancesRow: {
            /** Format: uuid */
            id: string;
            numero_cuenta: string;
            /**
             * @description ISO 4217.
             * @example CLP
             */
            currency: string;
            /**
             * Format: date-time
             * @description When the bank was asked. UTC, with milliseconds.
             */
            observed_at: string;
            /** @description Book balance. */
            saldo_contable: string | null;
            /** @description Available balance. */
            saldo_disponible: string | null;
            /** @description Running balance of the open statement, today's entries included. */
            saldo_provisorio: string | null;
        };
        BankoneMovementsRow: {
            /** Format: uuid */
            id: string;
            period: string;
            numero_cuenta: string;
            /** @description Correct in the current month. Statements of closed months contain no currency, so CLP is reported for every account. */
            currency: string | null;
            /** Format: date */
            fecha_movimiento: string | null;
            descripcion: string | null;
            /** @description Document number without leading zeros. */
            documento: string | null;
            /** @description Signed: charges negative, credits positive. */
            amount: string | null;
            /** @description Balance after the movement. */
            saldo_contable: string | null;
            /**
             * @description C: charge (money out), A: credit (money in).
             * @enum {string}
             */
            tipo: "C" | "A";
            /**
             * @description received: credit, issued: charge.
             * @enum {string}
             */
            direction: "received" | "issued";
        };
        BankoneNominasPagosRow: {
            /** Format: uuid */
            id: string;
            /** @description Line in the batch. */
            linea: number | null;
            rut: string | null;
            nombre: string | null;
            /** @description CC current, CA savings, VI sight. */
            tipo_cuenta: string | null;
            numero_cuenta: string | null;
            banco: string | null;
            monto: string | null;
            currency: string | null;
            /** @description The bank's state of the payment. */
            estado: string | null;
            mail: string | null;
            /** @description Text for the payee. */
            glosa: string | null;
            /** @description Why it was rejected. */
            motivo_rechazo: string | null;
        };
        BankoneNominasRow: {
            /** Format: uuid */
            id: string;
            period: string;
            numero_nomina: string | null;
            /**
             * Format: date
             * @description Day of payment, YYYY-MM-DD.
             */
            nomina_date: string | null;
            /** @description What is paid, e.g. REMUNERACIONES. */
            tipo: string | null;
            /** @description Account that is charged. */
            cuenta_cargo: string | null;
            /** @description The bank's state of the batch. */
            estado: string | null;
            /** @description Number of payments. */
            num_registros: number | null;
            monto: string | null;
            currency: string | null;
        };
        BankoneTransfersRow: {
            /** Format: uuid */
            id: string;
            period: string;
            /**
             * @description Seen from the connected company.
             * @enum {string}
             */
            direction: "received" | "issued";
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            transferred_at: string | null;
            /** @description Always positive. `direction` says which way the money went. */
            amount: string | null;
            numero_transaccion: string | null;
            currency: string | null;
            subject: string | null;
            counterparty_rut: string | null;
            counterparty_name: string | null;
            counterparty_bank: string | null;
        };
        BankthreeBalancesRow: {
            /** Format: uuid */
            id: string;
            numero_cuenta: string;
            /**
             * @description ISO 4217.
             * @example CLP
             */
            currency: string;
            /**
             * Format: date-time
             * @description When the bank was asked. UTC, with milliseconds.
             */
            observed_at: string;
            /** @description Book balance. */
            saldo_contable: string | null;
            /** @description Available balance. */
            saldo_disponible: string | null;
        };
        BankthreeMovementsRow: {
            /** Format: uuid */
            id: string;
            period: string;
            numero_cuenta: string;
            /** @description As the statement says. */
            currency: string | null;
            /** Format: date */
            fecha_movimiento: string | null;
            descripcion: string | null;
            /** @description Document number without leading zeros. */
            documento: string | null;
            /** @description Signed: charges negative, credits positive. */
            amount: string | null;
            /** @description Balance after the movement. */
            saldo_contable: string | null;
            /**
             * @description C: charge (money out), A: credit (money in).
             * @enum {string}
             */
            tipo: "C" | "A";
            /**
             * @description received: credit, issued: charge.
             * @enum {string}
             */
            direction: "received" | "issued";
        };
        BanktwoBalancesRow: {
            /** Format: uuid */
            id: string;
            numero_cuenta: string;
            /**
             * @description ISO 4217.
             * @example CLP
             */
            currency: string;
            /**
             * Format: date-time
             * @description When the bank was asked. UTC, with milliseconds.
             */
            observed_at: string;
            /** @description Book balance. */
            saldo_contable: string | null;
            /** @description Available balance. */
            saldo_disponible: string | null;
            /** @description Book balance at 09:00. Null before 09:00 and on non-banking days. */
            saldo_contable_9am: string | null;
            /** @description Sum of what is withheld. */
            retencion: string | null;
        };
        BanktwoMovementsRow: {
            /** Format: uuid */
            id: string;
            /** @description Month of the accounting date. */
            period: string;
            numero_cuenta: string;
            /** Format: date */
            fecha_movimiento: string | null;
            /**
             * Format: date
             * @description Day on which the bank booked it.
             */
            fecha_contable: string | null;
            descripcion: string | null;
            /** @description Signed: charges negative, credits positive. */
            amount: string | null;
            /** @description Balance after the movement. */
            saldo_contable: string | null;
            /**
             * @description C: charge (money out), A: credit (money in).
             * @enum {string}
             */
            tipo: "C" | "A";
            /** @description The bank's movement code. */
            mnemonico: string | null;
            /**
             * @description received: credit, issued: charge.
             * @enum {string}
             */
            direction: "received" | "issued";
            /** @description The bank's category. */
            category: string | null;
            counterparty_name: string | null;
            counterparty_rut: string | null;
            counterparty_bank: string | null;
            counterparty_account: string | null;
        };
        Change: {
            /**
             * @description Treat `created` and `updated` alike: a row that is new to the service may already be in your copy.
             * @enum {string}
             */
            change: "created" | "updated" | "deleted";
            /** @enum {string} */
            scope: "balances" | "boletas" | "guias" | "movements" | "nominas" | "rcv" | "transfers";
            /**
             * Format: uuid
             * @description Id of the row, as in its list.
             */
            id: string;
            /** @description Never decreases from one answer to the next, within a scope. */
            sequence: number;
            /** @description Month (YYYY-MM) of the row. For a balance, the month in which it was observed. */
            period: string | null;
            /** @description The row as the scope's list shows it. Null if deleted. */
            row: (components["schemas"]["TaxRcvRow"] | components["schemas"]["BanktwoMovementsRow"] | components["schemas"]["TaxBoletasRow"] | components["schemas"]["BankoneMovementsRow"] | components["schemas"]["BankoneTransfersRow"] | components["schemas"]["BankthreeMovementsRow"] | components["schemas"]["BankoneNominasRow"] | components["schemas"]["TaxGuiasRow"] | components["schemas"]["BanktwoBalancesRow"] | components["schemas"]["BankoneBalancesRow"] | components["schemas"]["BankthreeBalancesRow"]) | null;
            /** @description For a deleted row: the listed fields that identify the row at its source. */
            key: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: uuid
             * @description The run that changed or removed the row. Null if a repair removed it.
             */
            sync_run_id: string | null;
            /**
             * Format: date-time
             * @description When that run was started. For a deleted row, when it was removed.
             */
            changed_at: string | null;
        };
        Connection: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            organization_id: string;
            /** @example tax */
            external_source_code: string;
            /** @example Servicio de Impuestos Internos */
            external_source_name: string;
            /** @example Mi empresa */
            name: string;
            /**
             * @description pending: no sync has ended yet; error: only the owner can fix it, e.g. with new credentials; disabled: not synchronized.
             * @example active
             * @enum {string}
             */
            status: "pending" | "active" | "error" | "disabled";
            /**
             * @example [
             *       "rcv"
             *     ]
             */
            enabled_scopes: string[];
            /** @description The enabled scopes, with the URL of their data. */
            scopes: components["schemas"]["ScopeDescriptor"][];
            /** @example {} */
            metadata: {
                [key: string]: unknown;
            };
            sync_schedule_enabled: boolean;
            /**
             * @description Minutes between scheduled syncs. Null if never set.
             * @example 1440
             */
            sync_frequency_minutes: (60 | 360 | 720 | 1440) | null;
            /**
             * Format: date-time
             * @description Null while the schedule or the connection is disabled.
             */
            next_scheduled_sync_at: string | null;
            /**
             * Format: date-time
             * @description End of the latest run that ended `succeeded`.
             */
            last_successful_sync_at: string | null;
            /**
             * @description Status of the latest finished run: `succeeded`, `partial`, `failed` or `cancelled`; null before the first.
             * @example succeeded
             */
            last_sync_status: string | null;
        };
        CreateApiKeyRequest: {
            name: string;
            /**
             * Format: date-time
             * @description The key is refused from this time on. It must be in the future and may have any offset.
             */
            expires_at?: string | null;
        };
        CreateConnectionRequest: {
            /**
             * @description Code of an active source of GET /external-sources.
             * @example tax
             */
            external_source_code: string;
            name: string;
            /**
             * @description Scopes of the source, without duplicates.
             * @example [
             *       "rcv"
             *     ]
             */
            enabled_scopes: string[];
            /**
             * @description Must match the source's metadata.credentials_schema. Stored encrypted, never shown.
             * @example {
             *       "rut": "76192083-9",
             *       "password": "clave-de-prueba"
             *     }
             */
            credentials: {
                [key: string]: unknown;
            };
            /**
             * @description Must match the source's metadata.connection_metadata_schema; {} always does.
             * @example {}
             */
            metadata: {
                [key: string]: unknown;
            };
        };
        CreateWebhookRequest: {
            /**
             * Format: uri
             * @description An https URL on the public internet with at most 2,048 characters, without user info or fragment.
             */
            url: string;
            /**
             * @description Events that are sent to this endpoint.
             * @example [
             *       "sync.succeeded",
             *       "sync.partial",
             *       "sync.failed"
             *     ]
             */
            event_types: components["schemas"]["EventType"][];
        };
        DecideAuthorizationRequest: {
            /**
             * @description The same query as in the review.
             * @example response_type=code&client_id=dcr1.eyJuYW1lIjoiQWdlbnRlIGNvbnRhYmxlIiwicmVkaXJlY3RfdXJpcyI6WyJodHRwczovL2FnZW50LmV4YW1wbGUvY2FsbGJhY2siXSwicmVmcmVzaCI6dHJ1ZX0&redirect_uri=https%3A%2F%2Fagent.example%2Fcallback&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256&state=af0ifjsldkj
             */
            query: string;
            /**
             * @description Digest of the request that the person saw.
             * @example E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM
             */
            digest: string;
            /**
             * @example deny
             * @enum {string}
             */
            decision: "allow" | "deny";
        };
        /**
         * @description How a sync run ended.
         * @enum {string}
         */
        EventType: "sync.succeeded" | "sync.partial" | "sync.failed";
        ExtSourceScope: {
            /** @example rcv */
            name: string;
            /** @example Registro de compras y ventas */
            label: string;
            /**
             * @description JSON Schema of `metadata` of a sync request.
             * @example {
             *       "type": "object"
             *     }
             */
            sync_metadata: {
                [key: string]: unknown;
            };
            /** @description Path of the data; {connection_id} is replaced. */
            data_path_template: string | null;
            /**
             * @description JSON Schema of the query parameters of the path.
             * @example {
             *       "type": "object"
             *     }
             */
            filters: {
                [key: string]: unknown;
            } | null;
        };
        ExternalSource: {
            /** @example tax */
            code: string;
            /** @example Servicio de Impuestos Internos */
            name: string;
            /** @example tax_authority */
            type: string;
            /**
             * @description ISO 3166 code.
             * @example CL
             */
            country: string;
            /** @description Only active sources can be connected. */
            is_active: boolean;
            /**
             * @example [
             *       "rcv"
             *     ]
             */
            supported_scopes: string[];
            scopes: components["schemas"]["ExtSourceScope"][];
            metadata: {
                /**
                 * @description JSON Schema of `credentials` of a connection to this source.
                 * @example {
                 *       "type": "object"
                 *     }
                 */
                credentials_schema: {
                    [key: string]: unknown;
                };
                /**
                 * @description JSON Schema of `metadata` of a connection to this source.
                 * @example {
                 *       "type": "object"
                 *     }
                 */
                connection_metadata_schema: {
                    [key: string]: unknown;
                };
            };
        };
        Feed: {
            /** @description Cursor for the next request. Store it together with your copy. */
            next_cursor: string;
            /** @description False if nothing more was stored at the time of the request. */
            has_more: boolean;
        };
        Figure: {
            /**
             * @description The part of the month that the total covers: values by name, such as direction and document_type.
             * @example {
             *       "direction": "received",
             *       "estado": "registro",
             *       "document_type": "33"
             *     }
             */
            group: {
                [key: string]: string;
            };
            /**
             * @description `rows`, the summed field, or a figure of a statement: opening, charges, credits, closing.
             * @example total_amount
             */
            figure: string;
            /** @description The figure that the institution reports. */
            institution: string;
            /** @description The sum of the stored rows. */
            ours: string;
            /** @description `ours` minus `institution`. Negative if too little is stored. */
            difference: string;
        };
        Grant: {
            /** Format: uuid */
            id: string;
            /**
             * @description Address at which the application is published, or its encoded registration.
             * @example dcr1.eyJuYW1lIjoiQWdlbnRlIGNvbnRhYmxlIiwicmVkaXJlY3RfdXJpcyI6WyJodHRwczovL2FnZW50LmV4YW1wbGUvY2FsbGJhY2siXSwicmVmcmVzaCI6dHJ1ZX0
             */
            client_id: string;
            /**
             * @description Name that the application gave; empty if it gave none.
             * @example Agente contable
             */
            client_name: string;
            /**
             * @description Host that publishes the name. Null if the name is unverified.
             * @example null
             */
            client_publisher: string | null;
            /**
             * @description Where the answer went. web: a site; loopback: a program on the person’s computer; app: an app with its own scheme; none: an operator created the grant.
             * @example web
             * @enum {string}
             */
            redirect_kind: "web" | "loopback" | "app" | "none";
            /**
             * @description Host and port of the site or program, or the scheme of the app.
             * @example agent.example
             */
            redirect_host: string;
            /** @example data:read */
            scope: string;
            /**
             * @description Person who allowed it, as named by the issuer of sessions.
             * @example 248289761001
             */
            subject: string;
            /** @enum {string} */
            status: "active" | "revoked" | "expired";
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description Accurate to the minute.
             */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             * @example null
             */
            revoked_at: string | null;
            /**
             * @description Who ended it. reuse: a code or refresh token was used a second time, which may mean a theft.
             * @example null
             */
            revoked_for: ("person" | "application" | "reuse") | null;
        };
        Pagination: {
            /** @description Exact number of rows that match the filter. */
            total: number;
            limit: number;
            offset: number;
            /** @description True when offset + number of items returned < total. */
            has_more: boolean;
        };
        PeriodCoverage: {
            /**
             * @description Null for a scope without months, such as balances.
             * @example 2026-10
             */
            period: string | null;
            /**
             * @description Number of rows stored now.
             * @example 152
             */
            rows: number;
            /**
             * @description complete: the last attempt read the month and stored it completely; partial: the rows are from an earlier reading or incomplete, or the month was last read before its end; never: the institution never showed data of the month.
             * @enum {string}
             */
            state: "complete" | "partial" | "never";
            /**
             * @description Why the month is not complete: code of an error or notice, or read_before_month_end.
             * @example null
             */
            reason: string | null;
            /** @description The month is not over, or some of its rows are provisional. */
            is_open: boolean;
            /**
             * Format: date-time
             * @description When the stored data was requested from the institution.
             */
            as_of: string | null;
            /**
             * @description equal: the stored rows add up to the institution's own totals; differs: some figure does not; not_told: there is nothing to compare.
             * @enum {string}
             */
            verdict: "equal" | "differs" | "not_told";
            /**
             * @description The first figures that differ.
             * @example []
             */
            differences: components["schemas"]["Figure"][];
        };
        PeriodCoverageWithTotals: {
            /**
             * @description Null for a scope without months, such as balances.
             * @example 2026-10
             */
            period: string | null;
            /**
             * @description Number of rows stored now.
             * @example 152
             */
            rows: number;
            /**
             * @description complete: the last attempt read the month and stored it completely; partial: the rows are from an earlier reading or incomplete, or the month was last read before its end; never: the institution never showed data of the month.
             * @enum {string}
             */
            state: "complete" | "partial" | "never";
            /**
             * @description Why the month is not complete: code of an error or notice, or read_before_month_end.
             * @example null
             */
            reason: string | null;
            /** @description The month is not over, or some of its rows are provisional. */
            is_open: boolean;
            /**
             * Format: date-time
             * @description When the stored data was requested from the institution.
             */
            as_of: string | null;
            /**
             * @description equal: the stored rows add up to the institution's own totals; differs: some figure does not; not_told: there is nothing to compare.
             * @enum {string}
             */
            verdict: "equal" | "differs" | "not_told";
            /**
             * @description The first figures that differ.
             * @example []
             */
            differences: components["schemas"]["Figure"][];
            /** @description By group, those that differ first. */
            totals: components["schemas"]["TotalGroup"][];
            /**
             * @description Further groups, above 300.
             * @example 0
             */
            totals_left_out: number;
        };
        ProcurementDocumentosRow: {
            /**
             * Format: uuid
             * @description Use it to download the file.
             */
            id: string;
            /** @description Code of the tender, e.g. 1509-5-L114. */
            codigo: string;
            /** @description Stable key of the document within its tender. */
            documento_id: string;
            /** @description Where it is listed: bases, anexo, antecedente. */
            origen: string;
            nombre: string | null;
            tipo: string | null;
            descripcion: string | null;
            /** @description Bytes, approximate. */
            tamano: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            fecha_adjunto: string | null;
            /** @description How the file is found at the source; opaque. */
            locator: {
                [key: string]: unknown;
            };
        };
        ProcurementLicitacionesDocument: {
            /** Format: uuid */
            id: string;
            /** @description Code of the tender, e.g. 1509-5-L114. */
            codigo: string;
            nombre: string | null;
            descripcion: string | null;
            /** @description Key of the state: publicada, cerrada, desierta, adjudicada, revocada, suspendida. */
            estado: string | null;
            /** @description Two characters, e.g. LE. */
            tipo_licitacion: string | null;
            /** @description abierta or cerrada. */
            tipo_convocatoria: string | null;
            moneda: string | null;
            monto_estimado: string | null;
            organismo_razon_social: string | null;
            organismo_rut: string | null;
            unidad_compra: string | null;
            region: string | null;
            comuna: string | null;
            direccion: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            fecha_publicacion: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            fecha_inicio_preguntas: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            fecha_fin_preguntas: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            fecha_publicacion_respuestas: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            fecha_cierre: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            fecha_apertura_tecnica: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            fecha_apertura_economica: string | null;
            /**
             * Format: date-time
             * @description Planned until `estado` is adjudicada.
             */
            fecha_adjudicacion: string | null;
            /**
             * Format: date-time
             * @description When the portal last answered for this tender. UTC, with milliseconds.
             */
            observed_at: string;
            /** @description The portal's own record. */
            raw_ficha: {
                [key: string]: unknown;
            };
        };
        ProcurementLicitacionesRow: {
            /** Format: uuid */
            id: string;
            /** @description Code of the tender, e.g. 1509-5-L114. */
            codigo: string;
            nombre: string | null;
            descripcion: string | null;
            /** @description Key of the state: publicada, cerrada, desierta, adjudicada, revocada, suspendida. */
            estado: string | null;
            /** @description Two characters, e.g. LE. */
            tipo_licitacion: string | null;
            /** @description abierta or cerrada. */
            tipo_convocatoria: string | null;
            moneda: string | null;
            monto_estimado: string | null;
            organismo_razon_social: string | null;
            organismo_rut: string | null;
            unidad_compra: string | null;
            region: string | null;
            comuna: string | null;
            direccion: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            fecha_publicacion: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            fecha_inicio_preguntas: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            fecha_fin_preguntas: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            fecha_publicacion_respuestas: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            fecha_cierre: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            fecha_apertura_tecnica: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            fecha_apertura_economica: string | null;
            /**
             * Format: date-time
             * @description Planned until `estado` is adjudicada.
             */
            fecha_adjudicacion: string | null;
            /**
             * Format: date-time
             * @description When the portal last answered for this tender. UTC, with milliseconds.
             */
            observed_at: string;
        };
        ProcurementOfertasRow: {
            /** Format: uuid */
            id: string;
            /** @description Code of the tender, e.g. 1509-5-L114. */
            codigo: string;
            oferente_rut: string;
            proveedor_razon_social: string | null;
            nombre_oferta: string | null;
            estado: string | null;
            /** @description In the tender's currency. */
            total_oferta: string | null;
            habil_chileproveedores: boolean | null;
            documentos: {
                /**
                 * Format: uuid
                 * @description Use it to download the file.
                 */
                id: string;
                /** @description Code of the tender, e.g. 1509-5-L114. */
                codigo: string;
                oferente_rut: string;
                /** @description Stable key of the document within its offer. */
                documento_id: string;
                /** @description administrativo, tecnico or economico. */
                origen: string;
                nombre: string | null;
                /** @description How the file is found at the source; opaque. */
                locator: {
                    [key: string]: unknown;
                };
            }[];
        };
        ProcurementPreguntasRow: {
            /** Format: uuid */
            id: string;
            /** @description Code of the tender, e.g. 1509-5-L114. */
            codigo: string;
            pregunta_id: string;
            /** @description Number within the tender. */
            numero: string | null;
            tema: string | null;
            pregunta: string | null;
            /** @description Null until answers are published. */
            respuesta: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            fecha_pregunta: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            fecha_respuesta: string | null;
        };
        ReviewAuthorizationRequest: {
            /**
             * @description Query of the address at which the application opened the page, unchanged.
             * @example response_type=code&client_id=dcr1.eyJuYW1lIjoiQWdlbnRlIGNvbnRhYmxlIiwicmVkaXJlY3RfdXJpcyI6WyJodHRwczovL2FnZW50LmV4YW1wbGUvY2FsbGJhY2siXSwicmVmcmVzaCI6dHJ1ZX0&redirect_uri=https%3A%2F%2Fagent.example%2Fcallback&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256&state=af0ifjsldkj
             */
            query: string;
        };
        ScopeCoverage: {
            /** @example rcv */
            scope: string;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            last_success_at: string | null;
            /** @description Result of the scope in the run that ended last. Null if no run has ended. */
            last_attempt: {
                /** Format: uuid */
                sync_run_id: string;
                /**
                 * @example ok
                 * @enum {string}
                 */
                status: "ok" | "partial" | "failed" | "cancelled";
                /**
                 * Format: date-time
                 * @description UTC, with milliseconds.
                 */
                finished_at: string;
                /** @example null */
                error_code: string | null;
            } | null;
            /** @description Months that were requested or have rows, newest first. Empty for scopes that are read by tender. */
            periods: components["schemas"]["PeriodCoverage"][];
        };
        ScopeDescriptor: {
            /** @example rcv */
            name: string;
            /** @example Registro de compras y ventas */
            label: string;
            /** @description Relative URL of the data of this scope. */
            data_url: string | null;
            /**
             * @description JSON Schema of the query parameters of data_url.
             * @example {
             *       "type": "object"
             *     }
             */
            filters: {
                [key: string]: unknown;
            } | null;
            /**
             * @description JSON Schema of `metadata` of a sync request.
             * @example {
             *       "type": "object"
             *     }
             */
            sync_metadata: {
                [key: string]: unknown;
            };
        };
        ScopeNotice: {
            /**
             * @description Machine-readable, e.g. tax.guias.out_of_window. `x-notice-codes` in this description lists all.
             * @example tax.guias.out_of_window
             */
            code: string | null;
            /** @example 2025-01 is older than the source keeps. */
            message: string | null;
        };
        ScopeOutcome: {
            /** @example rcv */
            scope: string | null;
            /** @example ok */
            status: ("queued" | "running" | "ok" | "partial" | "failed" | "cancelled") | null;
            /** @example 152 */
            records_found: number | null;
            /**
             * @description Time that the scope took in the run, in milliseconds.
             * @example 8412
             */
            duration_ms: number | null;
            /** @description The newest of `periods`. Use it as `?period=` of the read endpoint of the scope. */
            period: string | null;
            /** @description All periods that were synchronized. */
            periods: string[];
            /**
             * @description A dotted code, e.g. source.invalid_credentials, not an HTTP error code. `x-sync-error-codes` in this description lists all.
             * @example null
             */
            error_code: string | null;
            /** @example null */
            error_message: string | null;
            /**
             * @description Expected conditions that are not failures.
             * @example []
             */
            notices: components["schemas"]["ScopeNotice"][];
        };
        /**
         * @example {
         *       "enabled": true,
         *       "frequency_minutes": 1440
         *     }
         */
        SetScheduleRequest: {
            enabled: boolean;
            /** @description Minutes between syncs; required when `enabled` is true. */
            frequency_minutes?: (60 | 360 | 720 | 1440) | null;
            /** @description Read-only: ignored, so that an answer can be sent back. */
            next_scheduled_sync_at?: unknown;
        };
        /**
         * @example {
         *       "scopes": [
         *         "rcv"
         *       ],
         *       "metadata": {
         *         "periods": [
         *           "2026-10",
         *           "2026-09"
         *         ]
         *       }
         *     }
         */
        StartSyncRequest: {
            /** @description Enabled scopes; absent or null: all of them. */
            scopes?: string[] | null;
            /** @description What to synchronize, shaped by `sync_metadata` of the scopes. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        SyncEventScopeOutcome: {
            /** @example rcv */
            scope: string;
            /** @enum {string} */
            status: "ok" | "partial" | "failed" | "cancelled";
            /** @example 152 */
            recordsFound: number;
            /**
             * @description Time that the scope took in the run, in milliseconds.
             * @example 8412
             */
            durationMs: number;
            /** @description The newest of the synchronized periods. Use it as `?period=` of the read endpoint; the run lists them all as `periods`. Null for scopes without periods. */
            period: string | null;
        };
        SyncFailedEvent: {
            /** @constant */
            type: "sync.failed";
            /**
             * Format: date-time
             * @description When the run ended. UTC, with milliseconds.
             */
            timestamp: string;
            data: {
                /** Format: uuid */
                syncRunId: string;
                /** Format: uuid */
                organizationId: string;
                /** Format: uuid */
                connectionId: string;
                /** @constant */
                status: "failed";
                /**
                 * @example [
                 *       "rcv"
                 *     ]
                 */
                scopes: string[];
                scopeOutcomes: components["schemas"]["SyncEventScopeOutcome"][];
                /**
                 * @description The most severe error of the run.
                 * @enum {string}
                 */
                errorCode: "source.invalid_credentials" | "source.account_locked" | "source.mfa_required" | "source.consent_expired" | "source.wrong_company" | "source.mfa_timeout" | "sync.cancelled" | "source.unavailable" | "source.maintenance" | "source.timeout" | "source.rate_limited" | "source.session_limit" | "source.blocked" | "source.unexpected_response" | "sync.internal_error" | "sync.timed_out";
            };
        };
        SyncPartialEvent: {
            /** @constant */
            type: "sync.partial";
            /**
             * Format: date-time
             * @description When the run ended. UTC, with milliseconds.
             */
            timestamp: string;
            data: {
                /** Format: uuid */
                syncRunId: string;
                /** Format: uuid */
                organizationId: string;
                /** Format: uuid */
                connectionId: string;
                /** @constant */
                status: "partial";
                /**
                 * @example [
                 *       "rcv"
                 *     ]
                 */
                scopes: string[];
                scopeOutcomes: components["schemas"]["SyncEventScopeOutcome"][];
                /**
                 * @description The most severe error of the run.
                 * @enum {string}
                 */
                errorCode?: "source.invalid_credentials" | "source.account_locked" | "source.mfa_required" | "source.consent_expired" | "source.wrong_company" | "source.mfa_timeout" | "sync.cancelled" | "source.unavailable" | "source.maintenance" | "source.timeout" | "source.rate_limited" | "source.session_limit" | "source.blocked" | "source.unexpected_response" | "sync.internal_error" | "sync.timed_out";
            };
        };
        SyncRun: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            connection_id: string;
            /**
             * @example [
             *       "rcv"
             *     ]
             */
            scopes: string[];
            /** @description One entry per scope, present from the start of the run. */
            scope_outcomes: components["schemas"]["ScopeOutcome"][];
            /**
             * @description The last four values are final.
             * @example succeeded
             */
            status: ("queued" | "running" | "succeeded" | "partial" | "failed" | "cancelled") | null;
            trigger: ("manual" | "schedule") | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            finished_at: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            created_at: string | null;
            /**
             * @description A dotted code, e.g. source.invalid_credentials, not an HTTP error code. `x-sync-error-codes` in this description lists all.
             * @example null
             */
            error_code: string | null;
            /** @example null */
            error_message: string | null;
            /**
             * @description Sum over the scopes. Null until the run has started.
             * @example 152
             */
            records_found: number | null;
            /** @example 140 */
            records_created: number | null;
            /**
             * @description Rows whose content changed.
             * @example 2
             */
            records_updated: number | null;
            /**
             * @description Current progress of a running sync. Null after its end.
             * @example null
             */
            progress: {
                /** @enum {string} */
                stage: "queued" | "connecting" | "downloading" | "storing" | "finishing";
                message: string | null;
                /**
                 * Format: date-time
                 * @description UTC, with milliseconds.
                 */
                updated_at: string | null;
            } | null;
        };
        SyncRunWithInput: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            connection_id: string;
            /**
             * @example [
             *       "rcv"
             *     ]
             */
            scopes: string[];
            /** @description One entry per scope, present from the start of the run. */
            scope_outcomes: components["schemas"]["ScopeOutcome"][];
            /**
             * @description The last four values are final.
             * @example succeeded
             */
            status: ("queued" | "running" | "succeeded" | "partial" | "failed" | "cancelled") | null;
            trigger: ("manual" | "schedule") | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            started_at: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            finished_at: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            created_at: string | null;
            /**
             * @description A dotted code, e.g. source.invalid_credentials, not an HTTP error code. `x-sync-error-codes` in this description lists all.
             * @example null
             */
            error_code: string | null;
            /** @example null */
            error_message: string | null;
            /**
             * @description Sum over the scopes. Null until the run has started.
             * @example 152
             */
            records_found: number | null;
            /** @example 140 */
            records_created: number | null;
            /**
             * @description Rows whose content changed.
             * @example 2
             */
            records_updated: number | null;
            /**
             * @description Current progress of a running sync. Null after its end.
             * @example null
             */
            progress: {
                /** @enum {string} */
                stage: "queued" | "connecting" | "downloading" | "storing" | "finishing";
                message: string | null;
                /**
                 * Format: date-time
                 * @description UTC, with milliseconds.
                 */
                updated_at: string | null;
            } | null;
            /**
             * @description The `metadata` of the sync request.
             * @example {
             *       "periods": [
             *         "2026-10"
             *       ]
             *     }
             */
            input_metadata: {
                [key: string]: unknown;
            };
        };
        SyncSucceededEvent: {
            /** @constant */
            type: "sync.succeeded";
            /**
             * Format: date-time
             * @description When the run ended. UTC, with milliseconds.
             */
            timestamp: string;
            data: {
                /** Format: uuid */
                syncRunId: string;
                /** Format: uuid */
                organizationId: string;
                /** Format: uuid */
                connectionId: string;
                /** @constant */
                status: "succeeded";
                /**
                 * @example [
                 *       "rcv"
                 *     ]
                 */
                scopes: string[];
                scopeOutcomes: components["schemas"]["SyncEventScopeOutcome"][];
            };
        };
        TaxBoletasRow: {
            /** Format: uuid */
            id: string;
            period: string;
            /**
             * @description 39: taxed electronic receipts, 41: exempt electronic receipts.
             * @enum {string}
             */
            document_type: "39" | "41";
            /** @description Day of the month. */
            day: number;
            /** @description Number of receipts of that day. */
            total_documentos: number | null;
            net_amount: string | null;
            exempt_amount: string | null;
            vat_amount: string | null;
            total_amount: string | null;
            /** @description Sales channel, if the source reports it. */
            channel: string | null;
            /**
             * Format: date-time
             * @description Start of the day in America/Santiago, as UTC.
             */
            date: string | null;
            /**
             * Format: date-time
             * @description When a sync last read this month.
             */
            updated_at: string | null;
        };
        TaxGuiasDocument: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            connection_id: string;
            /**
             * Format: uuid
             * @description Run that last changed it.
             */
            sync_run_id: string | null;
            /** Format: uuid */
            raw_payload_id: string | null;
            period: string;
            /**
             * @description Seen from the connected company.
             * @enum {string}
             */
            direction: "received" | "issued";
            folio: string | null;
            /**
             * Format: date
             * @description Issue date, YYYY-MM-DD.
             */
            issued_at: string | null;
            /** @description Receiver of an issued guide, issuer of a received one. */
            counterparty_rut: string | null;
            counterparty_name: string | null;
            total_amount: string | null;
            vat_amount: string | null;
            /** @description The authority's own number of the guide, otherwise direction, RUT and folio. */
            source_guide_id: string | null;
            /** @description The authority's document type code: 52. */
            document_type: string | null;
            net_amount: string | null;
            exempt_amount: string | null;
            /** @description Percentage, e.g. 19.0. */
            vat_rate: string | null;
            /**
             * Format: date
             * @description Day on which the authority received it, YYYY-MM-DD.
             */
            received_at: string | null;
            /** @description The authority's event number: 5 is no event. */
            event_order: string | null;
            event_description: string | null;
            dhdr_codigo: string | null;
            /** @description The row as the authority shows it. */
            raw_row: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            created_at: string | null;
        };
        TaxGuiasRow: {
            /** Format: uuid */
            id: string;
            period: string;
            /**
             * @description Seen from the connected company.
             * @enum {string}
             */
            direction: "received" | "issued";
            folio: string | null;
            /**
             * Format: date
             * @description Issue date, YYYY-MM-DD.
             */
            issued_at: string | null;
            /** @description Receiver of an issued guide, issuer of a received one. */
            counterparty_rut: string | null;
            counterparty_name: string | null;
            total_amount: string | null;
            vat_amount: string | null;
            /** @description Caption of the document's last event; null when there is none. */
            status: string | null;
        };
        TaxRcvDocument: {
            /** Format: uuid */
            id: string;
            period: string;
            /**
             * @description Seen from the connected company.
             * @enum {string}
             */
            direction: "received" | "issued";
            /** @description The authority's document type code, e.g. 33. */
            document_type: string;
            folio: string | null;
            issuer_rut: string | null;
            issuer_name: string | null;
            receiver_rut: string | null;
            receiver_name: string | null;
            /**
             * Format: date
             * @description Issue date, YYYY-MM-DD.
             */
            issued_at: string | null;
            /**
             * Format: date-time
             * @description When the tax authority received it.
             */
            received_at: string | null;
            net_amount: string | null;
            exempt_amount: string | null;
            /** @description Recoverable VAT on purchases, VAT on sales. */
            vat_amount: string | null;
            /** @description Also positive on credit notes, as on the wire. */
            total_amount: string | null;
            currency: string | null;
            /** @description Caption of the receiver's event; null when there is none. */
            status: string | null;
            /**
             * @description State in the register: registered, pending, not to be included, claimed.
             * @enum {string}
             */
            estado: "registro" | "pendiente" | "no_incluir" | "reclamado";
            referenced_document_type: string | null;
            referenced_folio: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            acknowledged_at: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            claimed_at: string | null;
            transaction_type: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            created_at: string | null;
            /** Format: uuid */
            connection_id: string;
            /** Format: uuid */
            sync_run_id: string | null;
            /** Format: uuid */
            raw_payload_id: string | null;
            source_document_id: string | null;
            raw_row: {
                [key: string]: unknown;
            } | null;
        };
        TaxRcvRow: {
            /** Format: uuid */
            id: string;
            period: string;
            /**
             * @description Seen from the connected company.
             * @enum {string}
             */
            direction: "received" | "issued";
            /** @description The authority's document type code, e.g. 33. */
            document_type: string;
            folio: string | null;
            issuer_rut: string | null;
            issuer_name: string | null;
            receiver_rut: string | null;
            receiver_name: string | null;
            /**
             * Format: date
             * @description Issue date, YYYY-MM-DD.
             */
            issued_at: string | null;
            /**
             * Format: date-time
             * @description When the tax authority received it.
             */
            received_at: string | null;
            net_amount: string | null;
            exempt_amount: string | null;
            /** @description Recoverable VAT on purchases, VAT on sales. */
            vat_amount: string | null;
            /** @description Also positive on credit notes, as on the wire. */
            total_amount: string | null;
            currency: string | null;
            /** @description Caption of the receiver's event; null when there is none. */
            status: string | null;
            /**
             * @description State in the register: registered, pending, not to be included, claimed.
             * @enum {string}
             */
            estado: "registro" | "pendiente" | "no_incluir" | "reclamado";
            referenced_document_type: string | null;
            referenced_folio: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            acknowledged_at: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            claimed_at: string | null;
            transaction_type: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            created_at: string | null;
        };
        TenderChange: {
            /** @enum {string} */
            change: "changed" | "connection_deleted";
            /** @description The tender to read again. Null if the connection was deleted. */
            codigo: string | null;
            /** @description `licitaciones`: the tender itself; otherwise the list below it. */
            scope: ("licitaciones" | "documentos" | "preguntas" | "ofertas") | null;
            /**
             * Format: uuid
             * @description The connection that stored new data or was deleted.
             */
            connection_id: string;
            /**
             * Format: date-time
             * @description When the portal answered that connection. Null for a deletion and for data that an interrupted sync left.
             */
            observed_at: string | null;
            /** @description Increases from change to change. */
            sequence: number;
        };
        TotalGroup: {
            /**
             * @description The part of the month that the total covers: values by name, such as direction and document_type.
             * @example {
             *       "direction": "received",
             *       "estado": "registro",
             *       "document_type": "33"
             *     }
             */
            group: {
                [key: string]: string;
            };
            /**
             * @description equal: the stored rows add up to the institution's own totals; differs: some figure does not; not_told: there is nothing to compare.
             * @enum {string}
             */
            verdict: "equal" | "differs" | "not_told";
            figures: {
                /**
                 * @description `rows`, the summed field, or a figure of a statement: opening, charges, credits, closing.
                 * @example total_amount
                 */
                figure: string;
                /** @description Null if the institution does not report it. */
                institution: string | null;
                /** @description Null if the figure is not compared. */
                ours: string | null;
            }[];
            /**
             * @description Stored rows of the group that the institution no longer shows. Null if all are shown.
             * @example null
             */
            rows_not_shown: {
                /** @description Number of rows. */
                rows: number;
                /** @description Ids of the first ones. */
                ids: string[];
            } | null;
        };
        UpdateConnectionRequest: {
            name?: string;
            /**
             * @description Scopes of the source, without duplicates.
             * @example [
             *       "rcv"
             *     ]
             */
            enabled_scopes?: string[];
            /**
             * @description Must match the source's metadata.connection_metadata_schema; {} always does.
             * @example {}
             */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description Replaces all credentials. */
            credentials?: {
                [key: string]: unknown;
            };
            /** @description false disables the connection, true enables it again. */
            enabled?: boolean;
        };
        UpdateWebhookRequest: {
            /**
             * Format: uri
             * @description An https URL on the public internet with at most 2,048 characters, without user info or fragment.
             */
            url?: string;
            /**
             * @description Events that are sent to this endpoint.
             * @example [
             *       "sync.succeeded",
             *       "sync.partial",
             *       "sync.failed"
             *     ]
             */
            event_types?: components["schemas"]["EventType"][];
            enabled?: boolean;
        };
        WebhookDelivery: {
            /**
             * Format: uuid
             * @description Also sent as the `webhook-id` header of every attempt.
             */
            id: string;
            event_type: components["schemas"]["EventType"];
            /**
             * @example failed
             * @enum {string}
             */
            status: "pending" | "delivering" | "delivered" | "failed";
            /** @description Number of attempts so far, including one in progress. */
            attempts: number;
            /**
             * @description HTTP status of the last attempt. Null if there was no answer.
             * @example 503
             */
            response_status: number | null;
            /**
             * @description Why the last attempt failed, or why no attempt will be made.
             * @example the receiver answered 503
             */
            error: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            last_attempt_at: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            created_at: string;
        };
        WebhookEndpoint: {
            /** Format: uuid */
            id: string;
            /** Format: uri */
            url: string;
            /**
             * @example [
             *       "sync.succeeded",
             *       "sync.failed"
             *     ]
             */
            event_types: components["schemas"]["EventType"][];
            enabled: boolean;
            /**
             * Format: date-time
             * @description When it was disabled, manually or after too many failures in a row.
             * @example null
             */
            disabled_at: string | null;
            /**
             * Format: date-time
             * @description Time of the last delivery answered with 2xx, accurate to the minute.
             */
            last_success_at: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            created_at: string;
        };
        WebhookEndpointWithSecret: {
            /** Format: uuid */
            id: string;
            /** Format: uri */
            url: string;
            /**
             * @example [
             *       "sync.succeeded",
             *       "sync.failed"
             *     ]
             */
            event_types: components["schemas"]["EventType"][];
            enabled: boolean;
            /**
             * Format: date-time
             * @description When it was disabled, manually or after too many failures in a row.
             * @example null
             */
            disabled_at: string | null;
            /**
             * Format: date-time
             * @description Time of the last delivery answered with 2xx, accurate to the minute.
             */
            last_success_at: string | null;
            /**
             * Format: date-time
             * @description UTC, with milliseconds.
             */
            created_at: string;
            /**
             * @description The signing secret, `whsec_…`; shown only here.
             * @example whsec_bm90IGEgc2VjcmV0LCBqdXN0IGFuIGV4YW1wbGUhISE=
             */
            secret: string;
        };
        /** @description The body of every refused request. `code` is stable; `message` is for people. */
        ErrorResponse: {
            error: {
                /**
                 * @example validation_error
                 * @enum {string}
                 */
                code: "validation_error" | "invalid_json" | "unauthorized" | "forbidden" | "not_found" | "method_not_allowed" | "connection_not_found" | "sync_run_not_found" | "coverage_not_found" | "rcv_document_not_found" | "dispatch_guide_not_found" | "nomina_not_found" | "licitacion_not_found" | "documento_not_found" | "api_key_not_found" | "webhook_endpoint_not_found" | "webhook_delivery_not_found" | "grant_not_found" | "connection_disabled" | "connection_sync_in_progress" | "webhook_endpoint_disabled" | "webhook_delivery_not_failed" | "webhook_limit_reached" | "grant_limit_reached" | "authorization_changed" | "idempotency_key_reused" | "idempotency_key_in_progress" | "cursor_expired" | "payload_too_large" | "unsupported_media_type" | "sync_invalid_scopes" | "sync_invalid_metadata" | "schedule_invalid_frequency" | "rate_limited" | "internal_error";
                /** @description Never contains a value from the request or a secret. */
                message: string;
            };
        };
        /** @description The body of the answer if the gateway in front of the service refused the request. */
        GatewayError: {
            message: string;
        };
    };
    responses: {
        /**
         * @description `validation_error`: A value is invalid. The message names the field and the rule.
         *
         *     `invalid_json`: The body is not valid JSON.
         */
        BadRequest: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `unauthorized`: No credential, or one that is invalid, revoked or expired. */
        Unauthorized: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "www-authenticate": components["headers"]["Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `forbidden`: This kind of credential may not perform this action. */
        Forbidden: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description `not_found`: The path does not exist.
         *
         *     `connection_not_found`: No connection with this id.
         *
         *     `sync_run_not_found`: No sync run with this id.
         *
         *     `coverage_not_found`: No data about this month of this scope.
         *
         *     `rcv_document_not_found`: No tax document with this id.
         *
         *     `dispatch_guide_not_found`: No dispatch guide with this id.
         *
         *     `nomina_not_found`: No payment batch with this id.
         *
         *     `licitacion_not_found`: No tender with this code.
         *
         *     `documento_not_found`: No document with this id, or its file could not be fetched.
         *
         *     `api_key_not_found`: No API key with this id.
         *
         *     `webhook_endpoint_not_found`: No webhook endpoint with this id.
         *
         *     `webhook_delivery_not_found`: No delivery with this id.
         *
         *     `grant_not_found`: No granted application with this id.
         */
        NotFound: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description `connection_disabled`: The connection is disabled.
         *
         *     `connection_sync_in_progress`: A sync of the connection is queued or running.
         *
         *     `webhook_endpoint_disabled`: The webhook endpoint is disabled.
         *
         *     `webhook_delivery_not_failed`: Only a failed delivery can be sent again.
         *
         *     `webhook_limit_reached`: The organization has 50 webhook endpoints, which is the maximum.
         *
         *     `grant_limit_reached`: The organization has 200 granted applications, which is the maximum.
         *
         *     `authorization_changed`: The application has changed its request since the person saw it.
         *
         *     `idempotency_key_reused`: The Idempotency-Key was used with another body, or its answer contained a secret that is shown only once.
         *
         *     `idempotency_key_in_progress`: A request with this Idempotency-Key is still in progress.
         */
        Conflict: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `cursor_expired`: The service was restored after the cursor was issued. Start over without a cursor and with an empty copy. */
        Gone: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description `payload_too_large`: The body is larger than 256 KiB.
         *
         *     `{message}` (by the gateway): The request is larger than 10 MB.
         */
        ContentTooLarge: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] | components["schemas"]["GatewayError"];
            };
        };
        /** @description `unsupported_media_type`: The body is not application/json. */
        UnsupportedMediaType: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description `validation_error`: A value is invalid. The message names the field and the rule.
         *
         *     `sync_invalid_scopes`: A scope is unknown, not enabled or repeated, or the list is empty.
         *
         *     `sync_invalid_metadata`: The metadata does not match the requested scopes.
         *
         *     `schedule_invalid_frequency`: The frequency is missing or not one of the offered ones.
         */
        UnprocessableContent: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description `rate_limited`: Too many such requests in this minute, or too many unfinished syncs of the connection.
         *
         *     `{message}` (by the gateway): Too many requests to the service as a whole.
         */
        TooManyRequests: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "retry-after": components["headers"]["RetryAfter"];
                ratelimit: components["headers"]["RateLimit"];
                "ratelimit-policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"] | components["schemas"]["GatewayError"];
            };
        };
        /** @description `{message}` (by the gateway): The headers are too large. */
        HeadersTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GatewayError"];
            };
        };
        /** @description `internal_error`: Something went wrong on our side. The request id identifies the failure in our log. */
        InternalError: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `{message}` (by the gateway): The service did not answer in time. */
        ServiceUnavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GatewayError"];
            };
        };
    };
    parameters: {
        /**
         * @description Makes repeats safe: for 24 hours, the same key with the same body gets the first answer again, and with another body 409. Printable ASCII characters.
         * @example b7c1f0de-start-2026-10
         */
        IdempotencyKey: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Identifies the request in our log: the caller's own `x-request-id` if well-formed, otherwise a new id.
         * @example 6f1f2a4e-6d0a-4b7c-8f6e-2f1d9a3b5c77
         */
        RequestId: string;
        /**
         * @description Seconds to wait before the next attempt. Absent in answers of the gateway.
         * @example 12
         */
        RetryAfter: number;
        /**
         * @description How many sync starts of the organization are left, `r`, and for how many seconds, `t`; absent where the gateway answers (draft-ietf-httpapi-ratelimit-headers).
         * @example "sync-starts";r=59;t=42
         */
        RateLimit: string;
        /**
         * @description How many sync starts, `q`, an organization has in `w` seconds; absent where the gateway answers.
         * @example "sync-starts";q=60;w=60
         */
        RateLimitPolicy: string;
        /**
         * @description How to authenticate. API Gateway renames this header to `x-amzn-remapped-www-authenticate`.
         * @example Bearer
         */
        Authenticate: "Bearer";
        /**
         * @description Identifies this version of the answer.
         * @example "q0x7-2vbt"
         */
        ETag: string;
        /**
         * @description URL of the file. It is signed and expires soon: follow it at once and do not store it.
         * @example https://example.com/signed-file
         */
        Location: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0192f5d4-8c3e-7a10-9f6b-000000000001",
                     *           "name": "Mi empresa",
                     *           "display_prefix": "svc_sk_MS4ga2",
                     *           "status": "active",
                     *           "last_used_at": null,
                     *           "expires_at": null,
                     *           "revoked_at": null,
                     *           "created_at": "2026-11-02T12:00:02.000Z"
                     *         },
                     *         {
                     *           "id": "0192f5d4-8c3e-7a10-9f6b-000000000002",
                     *           "name": "local",
                     *           "display_prefix": "svc_sk_Mi4ga2",
                     *           "status": "active",
                     *           "last_used_at": null,
                     *           "expires_at": null,
                     *           "revoked_at": null,
                     *           "created_at": "2026-11-02T12:00:01.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ApiKey"][];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes repeats safe: for 24 hours, the same key with the same body gets the first answer again, and with another body 409. Printable ASCII characters.
                 * @example b7c1f0de-start-2026-10
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Mi empresa"
                 *     }
                 */
                "application/json": components["schemas"]["CreateApiKeyRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0192f5d4-8c3e-7a10-9f6b-000000000001",
                     *         "name": "Mi empresa",
                     *         "display_prefix": "svc_sk_MS4ga2",
                     *         "status": "active",
                     *         "last_used_at": null,
                     *         "expires_at": null,
                     *         "revoked_at": null,
                     *         "created_at": "2026-11-02T12:00:02.000Z",
                     *         "key": "svc_sk_MS4ga2bm9ib2R5IGhhcyB0aGlzIGtleTogZXhhbXBsZQ"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** @example Accounting system */
                            name: string;
                            /**
                             * @description First characters of the token, to recognize it.
                             * @example svc_sk_Q3fT9a
                             */
                            display_prefix: string;
                            /** @enum {string} */
                            status: "active" | "revoked" | "expired";
                            /**
                             * Format: date-time
                             * @description Accurate to the minute.
                             */
                            last_used_at: string | null;
                            /**
                             * Format: date-time
                             * @description The key is refused from this time on. Null if it never expires.
                             * @example 2027-10-14T12:30:00.000Z
                             */
                            expires_at: string | null;
                            /**
                             * Format: date-time
                             * @description UTC, with milliseconds.
                             * @example null
                             */
                            revoked_at: string | null;
                            /**
                             * Format: date-time
                             * @description UTC, with milliseconds.
                             */
                            created_at: string;
                            /** @description The token, shown only here. */
                            key: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the API key.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0192f5d4-8c3e-7a10-9f6b-000000000001",
                     *         "name": "Mi empresa",
                     *         "display_prefix": "svc_sk_MS4ga2",
                     *         "status": "revoked",
                     *         "last_used_at": null,
                     *         "expires_at": null,
                     *         "revoked_at": "2026-11-02T12:00:03.000Z",
                     *         "created_at": "2026-11-02T12:00:02.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ApiKey"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listConnections: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0192f5d4-8c3e-7a10-9f6b-00000000000d",
                     *           "organization_id": "0192f5d4-8c3e-7a10-9f6b-000000000003",
                     *           "external_source_code": "tax",
                     *           "external_source_name": "Servicio de Impuestos Internos",
                     *           "name": "Mi empresa",
                     *           "status": "active",
                     *           "enabled_scopes": [
                     *             "rcv"
                     *           ],
                     *           "scopes": [
                     *             {
                     *               "name": "rcv",
                     *               "label": "Registro de compras y ventas",
                     *               "data_url": "/api/connections/0192f5d4-8c3e-7a10-9f6b-00000000000d/tax-rcv-documents",
                     *               "filters": {
                     *                 "$schema": "https://json-schema.org/draft/2020-12/schema",
                     *                 "type": "object",
                     *                 "properties": {
                     *                   "period": {
                     *                     "description": "Only rows of this month (YYYY-MM).",
                     *                     "type": "string",
                     *                     "pattern": "^\\d{4}-(0[1-9]|1[0-2])$"
                     *                   },
                     *                   "direction": {
                     *                     "type": "string",
                     *                     "enum": [
                     *                       "received",
                     *                       "issued"
                     *                     ],
                     *                     "description": "Seen from the connected company."
                     *                   },
                     *                   "estado": {
                     *                     "type": "string",
                     *                     "enum": [
                     *                       "registro",
                     *                       "pendiente",
                     *                       "no_incluir",
                     *                       "reclamado"
                     *                     ],
                     *                     "description": "State in the register: registered, pending, not to be included, claimed."
                     *                   },
                     *                   "from": {
                     *                     "description": "First day of `issued_at` (America/Santiago, inclusive).",
                     *                     "type": "string",
                     *                     "format": "date",
                     *                     "pattern": "^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))$"
                     *                   },
                     *                   "to": {
                     *                     "description": "Last day of `issued_at` (America/Santiago, inclusive).",
                     *                     "type": "string",
                     *                     "format": "date",
                     *                     "pattern": "^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))$"
                     *                   },
                     *                   "limit": {
                     *                     "default": 50,
                     *                     "description": "Page size.",
                     *                     "type": "integer",
                     *                     "minimum": 1,
                     *                     "maximum": 200
                     *                   },
                     *                   "offset": {
                     *                     "default": 0,
                     *                     "description": "Rows to skip.",
                     *                     "maximum": 9007199254740991,
                     *                     "type": "integer",
                     *                     "minimum": 0
                     *                   }
                     *                 },
                     *                 "additionalProperties": false
                     *               },
                     *               "sync_metadata": {
                     *                 "$schema": "https://json-schema.org/draft/2020-12/schema",
                     *                 "type": "object",
                     *                 "properties": {
                     *                   "periods": {
                     *                     "description": "Months to synchronize.",
                     *                     "minItems": 1,
                     *                     "maxItems": 36,
                     *                     "type": "array",
                     *                     "items": {
                     *                       "type": "string",
                     *                       "pattern": "^\\d{4}-(0[1-9]|1[0-2])$"
                     *                     }
                     *                   },
                     *                   "from_period": {
                     *                     "description": "First month; needs to_period.",
                     *                     "type": "string",
                     *                     "pattern": "^\\d{4}-(0[1-9]|1[0-2])$"
                     *                   },
                     *                   "to_period": {
                     *                     "description": "Last month; needs from_period.",
                     *                     "type": "string",
                     *                     "pattern": "^\\d{4}-(0[1-9]|1[0-2])$"
                     *                   }
                     *                 },
                     *                 "additionalProperties": false,
                     *                 "dependentRequired": {
                     *                   "from_period": [
                     *                     "to_period"
                     *                   ],
                     *                   "to_period": [
                     *                     "from_period"
                     *                   ]
                     *                 },
                     *                 "not": {
                     *                   "required": [
                     *                     "periods",
                     *                     "from_period"
                     *                   ]
                     *                 }
                     *               }
                     *             }
                     *           ],
                     *           "metadata": {},
                     *           "sync_schedule_enabled": true,
                     *           "sync_frequency_minutes": 1440,
                     *           "next_scheduled_sync_at": "2026-11-03T12:02:00.000Z",
                     *           "last_successful_sync_at": "2026-11-02T12:02:00.000Z",
                     *           "last_sync_status": "succeeded"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Connection"][];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createConnection: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes repeats safe: for 24 hours, the same key with the same body gets the first answer again, and with another body 409. Printable ASCII characters.
                 * @example b7c1f0de-start-2026-10
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "external_source_code": "tax",
                 *       "name": "Mi empresa",
                 *       "enabled_scopes": [
                 *         "rcv"
                 *       ],
                 *       "credentials": {
                 *         "rut": "76192083-9",
                 *         "password": "clave-de-prueba"
                 *       },
                 *       "metadata": {}
                 *     }
                 */
                "application/json": components["schemas"]["CreateConnectionRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0192f5d4-8c3e-7a10-9f6b-000000000008",
                     *       "organization_id": "0192f5d4-8c3e-7a10-9f6b-000000000003",
                     *       "external_source_code": "tax",
                     *       "external_source_name": "Servicio de Impuestos Internos",
                     *       "name": "Mi empresa",
                     *       "status": "pending",
                     *       "enabled_scopes": [
                     *         "rcv"
                     *       ],
                     *       "scopes": [
                     *         {
                     *           "name": "rcv",
                     *           "label": "Registro de compras y ventas",
                     *           "data_url": "/api/connections/0192f5d4-8c3e-7a10-9f6b-000000000008/tax-rcv-documents",
                     *           "filters": {
                     *             "$schema": "https://json-schema.org/draft/2020-12/schema",
                     *             "type": "object",
                     *             "properties": {
                     *               "period": {
                     *                 "description": "Only rows of this month (YYYY-MM).",
                     *                 "type": "string",
                     *                 "pattern": "^\\d{4}-(0[1-9]|1[0-2])$"
                     *               },
                     *               "direction": {
                     *                 "type": "string",
                     *                 "enum": [
                     *                   "received",
                     *                   "issued"
                     *                 ],
                     *                 "description": "Seen from the connected company."
                     *               },
                     *               "estado": {
                     *                 "type": "string",
                     *                 "enum": [
                     *                   "registro",
                     *                   "pendiente",
                     *                   "no_incluir",
                     *                   "reclamado"
                     *                 ],
                     *                 "description": "State in the register: registered, pending, not to be included, claimed."
                     *               },
                     *               "from": {
                     *                 "description": "First day of `issued_at` (America/Santiago, inclusive).",
                     *                 "type": "string",
                     *                 "format": "date",
                     *                 "pattern": "^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))$"
                     *               },
                     *               "to": {
                     *                 "description": "Last day of `issued_at` (America/Santiago, inclusive).",
                     *                 "type": "string",
                     *                 "format": "date",
                     *                 "pattern": "^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))$"
                     *               },
                     *               "limit": {
                     *                 "default": 50,
                     *                 "description": "Page size.",
                     *                 "type": "integer",
                     *                 "minimum": 1,
                     *                 "maximum": 200
                     *               },
                     *               "offset": {
                     *                 "default": 0,
                     *                 "description": "Rows to skip.",
                     *                 "maximum": 9007199254740991,
                     *                 "type": "integer",
                     *                 "minimum": 0
                     *               }
                     *             },
                     *             "additionalProperties": false
                     *           },
                     *           "sync_metadata": {
                     *             "$schema": "https://json-schema.org/draft/2020-12/schema",
                     *             "type": "object",
                     *             "properties": {
                     *               "periods": {
                     *                 "description": "Months to synchronize.",
                     *                 "minItems": 1,
                     *                 "maxItems": 36,
                     *                 "type": "array",
                     *                 "items": {
                     *                   "type": "string",
                     *                   "pattern": "^\\d{4}-(0[1-9]|1[0-2])$"
                     *                 }
                     *               },
                     *               "from_period": {
                     *                 "description": "First month; needs to_period.",
                     *                 "type": "string",
                     *                 "pattern": "^\\d{4}-(0[1-9]|1[0-2])$"
                     *               },
                     *               "to_period": {
                     *                 "description": "Last month; needs from_period.",
                     *                 "type": "string",
                     *                 "pattern": "^\\d{4}-(0[1-9]|1[0-2])$"
                     *               }
                     *             },
                     *             "additionalProperties": false,
                     *             "dependentRequired": {
                     *               "from_period": [
                     *                 "to_period"
                     *               ],
                     *               "to_period": [
                     *                 "from_period"
                     *               ]
                     *             },
                     *             "not": {
                     *               "required": [
                     *                 "periods",
                     *                 "from_period"
                     *               ]
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "metadata": {},
                     *       "sync_schedule_enabled": false,
                     *       "sync_frequency_minutes": null,
                     *       "next_scheduled_sync_at": null,
                     *       "last_successful_sync_at": null,
                     *       "last_sync_status": null
                     *     }
                     */
                    "application/json": components["schemas"]["Connection"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the connection.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0192f5d4-8c3e-7a10-9f6b-00000000000d",
                     *         "organization_id": "0192f5d4-8c3e-7a10-9f6b-000000000003",
                     *         "external_source_code": "tax",
                     *         "external_source_name": "Servicio de Impuestos Internos",
                     *         "name": "Mi empresa",
                     *         "status": "active",
                     *         "enabled_scopes": [
                     *           "rcv"
                     *         ],
                     *         "scopes": [
                     *           {
                     *             "name": "rcv",
                     *             "label": "Registro de compras y ventas",
                     *             "data_url": "/api/connections/0192f5d4-8c3e-7a10-9f6b-00000000000d/tax-rcv-documents",
                     *             "filters": {
                     *               "$schema": "https://json-schema.org/draft/2020-12/schema",
                     *               "type": "object",
                     *               "properties": {
                     *                 "period": {
                     *                   "description": "Only rows of this month (YYYY-MM).",
                     *                   "type": "string",
                     *                   "pattern": "^\\d{4}-(0[1-9]|1[0-2])$"
                     *                 },
                     *                 "direction": {
                     *                   "type": "string",
                     *                   "enum": [
                     *                     "received",
                     *                     "issued"
                     *                   ],
                     *                   "description": "Seen from the connected company."
                     *                 },
                     *                 "estado": {
                     *                   "type": "string",
                     *                   "enum": [
                     *                     "registro",
                     *                     "pendiente",
                     *                     "no_incluir",
                     *                     "reclamado"
                     *                   ],
                     *                   "description": "State in the register: registered, pending, not to be included, claimed."
                     *                 },
                     *                 "from": {
                     *                   "description": "First day of `issued_at` (America/Santiago, inclusive).",
                     *                   "type": "string",
                     *                   "format": "date",
                     *                   "pattern": "^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))$"
                     *                 },
                     *                 "to": {
                     *                   "description": "Last day of `issued_at` (America/Santiago, inclusive).",
                     *                   "type": "string",
                     *                   "format": "date",
                     *                   "pattern": "^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))$"
                     *                 },
                     *                 "limit": {
                     *                   "default": 50,
                     *                   "description": "Page size.",
                     *                   "type": "integer",
                     *                   "minimum": 1,
                     *                   "maximum": 200
                     *                 },
                     *                 "offset": {
                     *                   "default": 0,
                     *                   "description": "Rows to skip.",
                     *                   "maximum": 9007199254740991,
                     *                   "type": "integer",
                     *                   "minimum": 0
                     *                 }
                     *               },
                     *               "additionalProperties": false
                     *             },
                     *             "sync_metadata": {
                     *               "$schema": "https://json-schema.org/draft/2020-12/schema",
                     *               "type": "object",
                     *               "properties": {
                     *                 "periods": {
                     *                   "description": "Months to synchronize.",
                     *                   "minItems": 1,
                     *                   "maxItems": 36,
                     *                   "type": "array",
                     *                   "items": {
                     *                     "type": "string",
                     *                     "pattern": "^\\d{4}-(0[1-9]|1[0-2])$"
                     *                   }
                     *                 },
                     *                 "from_period": {
                     *                   "description": "First month; needs to_period.",
                     *                   "type": "string",
                     *                   "pattern": "^\\d{4}-(0[1-9]|1[0-2])$"
                     *                 },
                     *                 "to_period": {
                     *                   "description": "Last month; needs from_period.",
                     *                   "type": "string",
                     *                   "pattern": "^\\d{4}-(0[1-9]|1[0-2])$"
                     *                 }
                     *               },
                     *               "additionalProperties": false,
                     *               "dependentRequired": {
                     *                 "from_period": [
                     *                   "to_period"
                     *                 ],
                     *                 "to_period": [
                     *                   "from_period"
                     *                 ]
                     *               },
                     *               "not": {
                     *                 "required": [
                     *                   "periods",
                     *                   "from_period"
                     *                 ]
                     *               }
                     *             }
                     *           }
                     *         ],
                     *         "metadata": {},
                     *         "sync_schedule_enabled": true,
                     *         "sync_frequency_minutes": 1440,
                     *         "next_scheduled_sync_at": "2026-11-03T12:02:00.000Z",
                     *         "last_successful_sync_at": "2026-11-02T12:02:00.000Z",
                     *         "last_sync_status": "succeeded"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Connection"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the connection.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0192f5d4-8c3e-7a10-9f6b-000000000008",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** @constant */
                            deleted: true;
                        };
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the connection.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Mi empresa"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateConnectionRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0192f5d4-8c3e-7a10-9f6b-000000000008",
                     *         "organization_id": "0192f5d4-8c3e-7a10-9f6b-000000000003",
                     *         "external_source_code": "tax",
                     *         "external_source_name": "Servicio de Impuestos Internos",
                     *         "name": "Mi empresa",
                     *         "status": "pending",
                     *         "enabled_scopes": [
                     *           "rcv"
                     *         ],
                     *         "scopes": [
                     *           {
                     *             "name": "rcv",
                     *             "label": "Registro de compras y ventas",
                     *             "data_url": "/api/connections/0192f5d4-8c3e-7a10-9f6b-000000000008/tax-rcv-documents",
                     *             "filters": {
                     *               "$schema": "https://json-schema.org/draft/2020-12/schema",
                     *               "type": "object",
                     *               "properties": {
                     *                 "period": {
                     *                   "description": "Only rows of this month (YYYY-MM).",
                     *                   "type": "string",
                     *                   "pattern": "^\\d{4}-(0[1-9]|1[0-2])$"
                     *                 },
                     *                 "direction": {
                     *                   "type": "string",
                     *                   "enum": [
                     *                     "received",
                     *                     "issued"
                     *                   ],
                     *                   "description": "Seen from the connected company."
                     *                 },
                     *                 "estado": {
                     *                   "type": "string",
                     *                   "enum": [
                     *                     "registro",
                     *                     "pendiente",
                     *                     "no_incluir",
                     *                     "reclamado"
                     *                   ],
                     *                   "description": "State in the register: registered, pending, not to be included, claimed."
                     *                 },
                     *                 "from": {
                     *                   "description": "First day of `issued_at` (America/Santiago, inclusive).",
                     *                   "type": "string",
                     *                   "format": "date",
                     *                   "pattern": "^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))$"
                     *                 },
                     *                 "to": {
                     *                   "description": "Last day of `issued_at` (America/Santiago, inclusive).",
                     *                   "type": "string",
                     *                   "format": "date",
                     *                   "pattern": "^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))$"
                     *                 },
                     *                 "limit": {
                     *                   "default": 50,
                     *                   "description": "Page size.",
                     *                   "type": "integer",
                     *                   "minimum": 1,
                     *                   "maximum": 200
                     *                 },
                     *                 "offset": {
                     *                   "default": 0,
                     *                   "description": "Rows to skip.",
                     *                   "maximum": 9007199254740991,
                     *                   "type": "integer",
                     *                   "minimum": 0
                     *                 }
                     *               },
                     *               "additionalProperties": false
                     *             },
                     *             "sync_metadata": {
                     *               "$schema": "https://json-schema.org/draft/2020-12/schema",
                     *               "type": "object",
                     *               "properties": {
                     *                 "periods": {
                     *                   "description": "Months to synchronize.",
                     *                   "minItems": 1,
                     *                   "maxItems": 36,
                     *                   "type": "array",
                     *                   "items": {
                     *                     "type": "string",
                     *                     "pattern": "^\\d{4}-(0[1-9]|1[0-2])$"
                     *                   }
                     *                 },
                     *                 "from_period": {
                     *                   "description": "First month; needs to_period.",
                     *                   "type": "string",
                     *                   "pattern": "^\\d{4}-(0[1-9]|1[0-2])$"
                     *                 },
                     *                 "to_period": {
                     *                   "description": "Last month; needs from_period.",
                     *                   "type": "string",
                     *                   "pattern": "^\\d{4}-(0[1-9]|1[0-2])$"
                     *                 }
                     *               },
                     *               "additionalProperties": false,
                     *               "dependentRequired": {
                     *                 "from_period": [
                     *                   "to_period"
                     *                 ],
                     *                 "to_period": [
                     *                   "from_period"
                     *                 ]
                     *               },
                     *               "not": {
                     *                 "required": [
                     *                   "periods",
                     *                   "from_period"
                     *                 ]
                     *               }
                     *             }
                     *           }
                     *         ],
                     *         "metadata": {},
                     *         "sync_schedule_enabled": false,
                     *         "sync_frequency_minutes": null,
                     *         "next_scheduled_sync_at": null,
                     *         "last_successful_sync_at": null,
                     *         "last_sync_status": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Connection"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listBankoneBalances: {
        parameters: {
            query?: {
                /** @description Only `true`: the newest observation per account and currency, after the other filters, on one page. */
                latest?: true;
                /**
                 * @description Currency code, upper or lower case.
                 * @example CLP
                 */
                currency?: string;
                /** @description First day of `observed_at` (America/Santiago, inclusive). */
                from?: string;
                /** @description Last day of `observed_at` (America/Santiago, inclusive). */
                to?: string;
                /** @description Page size. */
                limit?: number;
                /** @description Rows to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the connection.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "numero_cuenta": "507600000219",
                     *           "currency": "USD",
                     *           "observed_at": "2026-11-02T14:33:11.000Z",
                     *           "saldo_contable": "-50984.96",
                     *           "saldo_disponible": "-50987.46",
                     *           "saldo_provisorio": null,
                     *           "id": "0192f5d4-8c3e-7a10-9f6b-00000000001e"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "total": 2,
                     *         "limit": 1,
                     *         "offset": 0,
                     *         "has_more": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["BankoneBalancesRow"][];
                        /** @description Absent with `latest=true`. */
                        pagination?: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listBankoneMovements: {
        parameters: {
            query?: {
                /** @description Only rows of this month (YYYY-MM). */
                period?: string;
                /** @description Seen from the connected company. */
                direction?: "received" | "issued";
                /** @description First day of `fecha_movimiento` (America/Santiago, inclusive). */
                from?: string;
                /** @description Last day of `fecha_movimiento` (America/Santiago, inclusive). */
                to?: string;
                /** @description Page size. */
                limit?: number;
                /** @description Rows to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the connection.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "period": "2026-10",
                     *           "numero_cuenta": "507600000219",
                     *           "currency": "CLP",
                     *           "fecha_movimiento": "2026-10-31",
                     *           "descripcion": "COMISIÓN MANTENCIÓN CUENTA",
                     *           "documento": "6166899",
                     *           "amount": "-449.60",
                     *           "saldo_contable": "-50947.67",
                     *           "tipo": "C",
                     *           "direction": "issued",
                     *           "id": "0192f5d4-8c3e-7a10-9f6b-00000000001f"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "total": 75,
                     *         "limit": 1,
                     *         "offset": 0,
                     *         "has_more": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["BankoneMovementsRow"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listBankoneMovementPeriods: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the connection.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         "2026-10"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listBankoneNominas: {
        parameters: {
            query?: {
                /** @description Only rows of this month (YYYY-MM). */
                period?: string;
                /** @description First day of `nomina_date` (America/Santiago, inclusive). */
                from?: string;
                /** @description Last day of `nomina_date` (America/Santiago, inclusive). */
                to?: string;
                /** @description Page size. */
                limit?: number;
                /** @description Rows to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the connection.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "period": "2026-10",
                     *           "numero_nomina": "261032",
                     *           "nomina_date": "2026-10-30",
                     *           "tipo": "REMUNERACIONES",
                     *           "cuenta_cargo": "007600000207",
                     *           "estado": "PROCESADA_PARCIAL",
                     *           "num_registros": 4,
                     *           "monto": "7377168",
                     *           "currency": "CLP",
                     *           "id": "0192f5d4-8c3e-7a10-9f6b-000000000021"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "total": 3,
                     *         "limit": 1,
                     *         "offset": 0,
                     *         "has_more": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["BankoneNominasRow"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listBankoneNominaPagos: {
        parameters: {
            query?: {
                /** @description Page size. */
                limit?: number;
                /** @description Rows to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the connection.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
                /**
                 * @description Id of the payment batch.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                nominaId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0192f5d4-8c3e-7a10-9f6b-000000000022",
                     *           "linea": 1,
                     *           "rut": "21159983-9",
                     *           "nombre": "IÑIGO EJEMPLO ÑANCO",
                     *           "tipo_cuenta": "CA",
                     *           "numero_cuenta": "00037898147",
                     *           "banco": "BANCO TRES",
                     *           "monto": "2442263",
                     *           "currency": "CLP",
                     *           "estado": "PAGADO",
                     *           "mail": "persona1@example.cl",
                     *           "glosa": "Sueldo 2026-10",
                     *           "motivo_rechazo": null
                     *         },
                     *         {
                     *           "id": "0192f5d4-8c3e-7a10-9f6b-000000000023",
                     *           "linea": 2,
                     *           "rut": "12985321-2",
                     *           "nombre": "PAZ VICUÑA NÚÑEZ",
                     *           "tipo_cuenta": "CA",
                     *           "numero_cuenta": "00070831206",
                     *           "banco": "BANCO CUATRO",
                     *           "monto": "1933595",
                     *           "currency": "CLP",
                     *           "estado": "RECHAZADO",
                     *           "mail": "persona2@example.cl",
                     *           "glosa": "Sueldo 2026-10",
                     *           "motivo_rechazo": "CUENTA INEXISTENTE"
                     *         },
                     *         {
                     *           "id": "0192f5d4-8c3e-7a10-9f6b-000000000024",
                     *           "linea": 3,
                     *           "rut": "23279677-4",
                     *           "nombre": "LUIS EJEMPLO EJEMPLO",
                     *           "tipo_cuenta": "VI",
                     *           "numero_cuenta": "00035746811",
                     *           "banco": "BANCO DOS",
                     *           "monto": "2332938",
                     *           "currency": "CLP",
                     *           "estado": "PAGADO",
                     *           "mail": null,
                     *           "glosa": "Sueldo 2026-10",
                     *           "motivo_rechazo": null
                     *         },
                     *         {
                     *           "id": "0192f5d4-8c3e-7a10-9f6b-000000000025",
                     *           "linea": 4,
                     *           "rut": "10127948-0",
                     *           "nombre": "LUIS VICUÑA PEÑA",
                     *           "tipo_cuenta": "CC",
                     *           "numero_cuenta": "00044162740",
                     *           "banco": "BANCO CUATRO",
                     *           "monto": "668372",
                     *           "currency": "CLP",
                     *           "estado": "PAGADO",
                     *           "mail": "persona4@example.cl",
                     *           "glosa": "Sueldo 2026-10",
                     *           "motivo_rechazo": null
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "total": 4,
                     *         "limit": 50,
                     *         "offset": 0,
                     *         "has_more": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["BankoneNominasPagosRow"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listBankoneNominaPeriods: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the connection.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         "2026-10"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listBankoneTransfers: {
        parameters: {
            query?: {
                /** @description Only rows of this month (YYYY-MM). */
                period?: string;
                /** @description Seen from the connected company. */
                direction?: "received" | "issued";
                /** @description First day of `transferred_at` (America/Santiago, inclusive). */
                from?: string;
                /** @description Last day of `transferred_at` (America/Santiago, inclusive). */
                to?: string;
                /** @description Page size. */
                limit?: number;
                /** @description Rows to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the connection.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "period": "2026-10",
                     *           "direction": "issued",
                     *           "transferred_at": "2026-10-31T11:51:25.000Z",
                     *           "amount": "474863",
                     *           "numero_transaccion": "261031085125000025",
                     *           "currency": "CLP",
                     *           "subject": "Arriendo oficina",
                     *           "counterparty_rut": "76500165-K",
                     *           "counterparty_name": "PANADERÍA LOS ÑIRES LTDA",
                     *           "counterparty_bank": "BANCO ÑUBLE",
                     *           "id": "0192f5d4-8c3e-7a10-9f6b-000000000020"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "total": 34,
                     *         "limit": 1,
                     *         "offset": 0,
                     *         "has_more": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["BankoneTransfersRow"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listBankoneTransferPeriods: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the connection.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         "2026-10"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listBankthreeBalances: {
        parameters: {
            query?: {
                /** @description Only `true`: the newest observation per account and currency, after the other filters, on one page. */
                latest?: true;
                /**
                 * @description Currency code, upper or lower case.
                 * @example CLP
                 */
                currency?: string;
                /** @description First day of `observed_at` (America/Santiago, inclusive). */
                from?: string;
                /** @description Last day of `observed_at` (America/Santiago, inclusive). */
                to?: string;
                /** @description Page size. */
                limit?: number;
                /** @description Rows to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the connection.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "numero_cuenta": "000000769901232",
                     *           "currency": "USD",
                     *           "observed_at": "2026-11-02T14:33:00.000Z",
                     *           "saldo_contable": "7.88",
                     *           "saldo_disponible": "0.00",
                     *           "id": "0192f5d4-8c3e-7a10-9f6b-00000000002b"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "total": 3,
                     *         "limit": 1,
                     *         "offset": 0,
                     *         "has_more": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["BankthreeBalancesRow"][];
                        /** @description Absent with `latest=true`. */
                        pagination?: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listBankthreeMovements: {
        parameters: {
            query?: {
                /** @description Only rows of this month (YYYY-MM). */
                period?: string;
                /** @description Seen from the connected company. */
                direction?: "received" | "issued";
                /** @description First day of `fecha_movimiento` (America/Santiago, inclusive). */
                from?: string;
                /** @description Last day of `fecha_movimiento` (America/Santiago, inclusive). */
                to?: string;
                /** @description Page size. */
                limit?: number;
                /** @description Rows to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the connection.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "period": "2026-10",
                     *           "numero_cuenta": "000000769901231",
                     *           "currency": "CLP",
                     *           "fecha_movimiento": "2026-10-31",
                     *           "descripcion": "PAGO PREVISIONAL FERRETERÍA PEÑALOLÉN SPA",
                     *           "documento": "987090908",
                     *           "amount": "-12799",
                     *           "saldo_contable": "21740615",
                     *           "tipo": "C",
                     *           "direction": "issued",
                     *           "id": "0192f5d4-8c3e-7a10-9f6b-00000000002c"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "total": 113,
                     *         "limit": 1,
                     *         "offset": 0,
                     *         "has_more": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["BankthreeMovementsRow"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listBankthreeMovementPeriods: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the connection.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         "2026-10"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listBanktwoBalances: {
        parameters: {
            query?: {
                /** @description Only `true`: the newest observation per account and currency, after the other filters, on one page. */
                latest?: true;
                /**
                 * @description Currency code, upper or lower case.
                 * @example CLP
                 */
                currency?: string;
                /** @description First day of `observed_at` (America/Santiago, inclusive). */
                from?: string;
                /** @description Last day of `observed_at` (America/Santiago, inclusive). */
                to?: string;
                /** @description Page size. */
                limit?: number;
                /** @description Rows to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the connection.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "numero_cuenta": "0-002-7360277-9",
                     *           "currency": "CLP",
                     *           "observed_at": "2026-11-02T14:33:12.000Z",
                     *           "saldo_contable": "-43729941",
                     *           "saldo_disponible": "-43729941",
                     *           "saldo_contable_9am": "-43742628",
                     *           "retencion": "0",
                     *           "id": "0192f5d4-8c3e-7a10-9f6b-000000000029"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "total": 3,
                     *         "limit": 1,
                     *         "offset": 0,
                     *         "has_more": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["BanktwoBalancesRow"][];
                        /** @description Absent with `latest=true`. */
                        pagination?: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listBanktwoMovements: {
        parameters: {
            query?: {
                /** @description Only rows of this month (YYYY-MM). */
                period?: string;
                /** @description Seen from the connected company. */
                direction?: "received" | "issued";
                /** @description First day of `fecha_movimiento` (America/Santiago, inclusive). */
                from?: string;
                /** @description Last day of `fecha_movimiento` (America/Santiago, inclusive). */
                to?: string;
                /** @description Page size. */
                limit?: number;
                /** @description Rows to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the connection.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "period": "2026-10",
                     *           "numero_cuenta": "0-002-7360277-9",
                     *           "fecha_movimiento": "2026-10-29",
                     *           "fecha_contable": "2026-10-30",
                     *           "descripcion": "Transf. de ASESORÍAS DEL AÑO SPA",
                     *           "amount": "1778181",
                     *           "saldo_contable": "-42133120",
                     *           "tipo": "A",
                     *           "mnemonico": "TEFR",
                     *           "direction": "received",
                     *           "category": "TRANSFERENCIA",
                     *           "counterparty_name": "ASESORÍAS DEL AÑO SPA",
                     *           "counterparty_rut": "77001201-5",
                     *           "counterparty_bank": "Itaú",
                     *           "counterparty_account": "015489775",
                     *           "id": "0192f5d4-8c3e-7a10-9f6b-00000000002a"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "total": 111,
                     *         "limit": 1,
                     *         "offset": 0,
                     *         "has_more": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["BanktwoMovementsRow"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listBanktwoMovementPeriods: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the connection.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         "2026-10"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listChanges: {
        parameters: {
            query?: {
                /** @description Only changes of this scope. A cursor belongs to its scope. */
                scope?: "balances" | "boletas" | "guias" | "movements" | "nominas" | "rcv" | "transfers";
                /** @description `feed.next_cursor` of an earlier answer for the same connection and scope. */
                cursor?: string;
                /** @description Page size. */
                limit?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the connection.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "change": "created",
                     *           "scope": "transfers",
                     *           "id": "0192f5d4-8c3e-7a10-9f6b-000000000026",
                     *           "sequence": 10001,
                     *           "period": "2026-10",
                     *           "row": {
                     *             "period": "2026-10",
                     *             "direction": "issued",
                     *             "transferred_at": "2026-10-04T17:57:36.000Z",
                     *             "amount": "2431459",
                     *             "numero_transaccion": "261004145736000029",
                     *             "currency": "CLP",
                     *             "subject": "Reembolso",
                     *             "counterparty_rut": "14259621-0",
                     *             "counterparty_name": "LUIS VICUÑA ÑANCO",
                     *             "counterparty_bank": "BANCO CUATRO",
                     *             "id": "0192f5d4-8c3e-7a10-9f6b-000000000026"
                     *           },
                     *           "key": null,
                     *           "sync_run_id": "0192f5d4-8c3e-7a10-9f6b-000000000027",
                     *           "changed_at": "2026-11-02T14:33:10.000Z"
                     *         }
                     *       ],
                     *       "feed": {
                     *         "next_cursor": "WzEsImhNNDVGLTRwIiwiMDE5MmY1ZDQtOGMzZS03YTEwLTlmNmItMDAwMDAwMDAwMDI4IiwidHJhbnNmZXJzIix7InRyYW5zZmVycyI6WzAsMTAwMDEsInIiLFsiMjAyNi0xMCIsImlzc3VlZCIsIjIwMjYtMTAtMDQjMjAyNi0xMC0wNFQxNzo1NzozNi4wMDBaIzAxOTJmNWQ0LThjM2UtN2ExMC05ZjZiLTAwMDAwMDAwMDAyNiJdXX1d",
                     *         "has_more": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Change"][];
                        feed: components["schemas"]["Feed"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCoverage: {
        parameters: {
            query?: {
                /** @description Only this scope. The answer is empty if the scope is not enabled. */
                scope?: "balances" | "boletas" | "documentos" | "guias" | "licitaciones" | "movements" | "nominas" | "ofertas" | "preguntas" | "rcv" | "transfers";
            };
            header?: never;
            path: {
                /**
                 * @description Id of the connection.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "scope": "boletas",
                     *           "last_success_at": "2026-11-02T14:33:08.000Z",
                     *           "last_attempt": {
                     *             "sync_run_id": "0192f5d4-8c3e-7a10-9f6b-000000000017",
                     *             "status": "ok",
                     *             "finished_at": "2026-11-02T14:33:08.000Z",
                     *             "error_code": null
                     *           },
                     *           "periods": [
                     *             {
                     *               "period": "2026-10",
                     *               "rows": 40,
                     *               "state": "complete",
                     *               "reason": null,
                     *               "is_open": false,
                     *               "as_of": "2026-11-02T14:33:06.000Z",
                     *               "verdict": "equal",
                     *               "differences": []
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ScopeCoverage"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPeriodCoverage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the connection.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
                /**
                 * @description Id of the coverage.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                scope: string;
                /**
                 * @description Id of the {scope}.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                period: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "period": "2026-10",
                     *         "rows": 40,
                     *         "state": "complete",
                     *         "reason": null,
                     *         "is_open": false,
                     *         "as_of": "2026-11-02T14:33:06.000Z",
                     *         "verdict": "equal",
                     *         "differences": [],
                     *         "totals": [
                     *           {
                     *             "group": {
                     *               "document_type": "39",
                     *               "told_by": "days"
                     *             },
                     *             "verdict": "equal",
                     *             "figures": [
                     *               {
                     *                 "figure": "total_documentos",
                     *                 "institution": "1839",
                     *                 "ours": "1839"
                     *               },
                     *               {
                     *                 "figure": "net_amount",
                     *                 "institution": "7352222",
                     *                 "ours": "7352222"
                     *               },
                     *               {
                     *                 "figure": "vat_amount",
                     *                 "institution": "1396921",
                     *                 "ours": "1396921"
                     *               },
                     *               {
                     *                 "figure": "exempt_amount",
                     *                 "institution": "66525",
                     *                 "ours": "66525"
                     *               },
                     *               {
                     *                 "figure": "total_amount",
                     *                 "institution": "8815668",
                     *                 "ours": "8815668"
                     *               }
                     *             ],
                     *             "rows_not_shown": null
                     *           },
                     *           {
                     *             "group": {
                     *               "document_type": "39",
                     *               "told_by": "register"
                     *             },
                     *             "verdict": "equal",
                     *             "figures": [
                     *               {
                     *                 "figure": "total_documentos",
                     *                 "institution": "1839",
                     *                 "ours": "1839"
                     *               },
                     *               {
                     *                 "figure": "net_amount",
                     *                 "institution": "7352222",
                     *                 "ours": "7352222"
                     *               },
                     *               {
                     *                 "figure": "vat_amount",
                     *                 "institution": "1396921",
                     *                 "ours": "1396921"
                     *               },
                     *               {
                     *                 "figure": "exempt_amount",
                     *                 "institution": "66525",
                     *                 "ours": "66525"
                     *               },
                     *               {
                     *                 "figure": "total_amount",
                     *                 "institution": "8815668",
                     *                 "ours": "8815668"
                     *               }
                     *             ],
                     *             "rows_not_shown": null
                     *           },
                     *           {
                     *             "group": {
                     *               "document_type": "41",
                     *               "told_by": "days"
                     *             },
                     *             "verdict": "equal",
                     *             "figures": [
                     *               {
                     *                 "figure": "total_documentos",
                     *                 "institution": "758",
                     *                 "ours": "758"
                     *               },
                     *               {
                     *                 "figure": "net_amount",
                     *                 "institution": "0",
                     *                 "ours": "0"
                     *               },
                     *               {
                     *                 "figure": "vat_amount",
                     *                 "institution": "0",
                     *                 "ours": "0"
                     *               },
                     *               {
                     *                 "figure": "exempt_amount",
                     *                 "institution": "3388396",
                     *                 "ours": "3388396"
                     *               },
                     *               {
                     *                 "figure": "total_amount",
                     *                 "institution": "3388396",
                     *                 "ours": "3388396"
                     *               }
                     *             ],
                     *             "rows_not_shown": null
                     *           },
                     *           {
                     *             "group": {
                     *               "document_type": "41",
                     *               "told_by": "register"
                     *             },
                     *             "verdict": "equal",
                     *             "figures": [
                     *               {
                     *                 "figure": "total_documentos",
                     *                 "institution": "758",
                     *                 "ours": "758"
                     *               },
                     *               {
                     *                 "figure": "net_amount",
                     *                 "institution": "0",
                     *                 "ours": "0"
                     *               },
                     *               {
                     *                 "figure": "vat_amount",
                     *                 "institution": "0",
                     *                 "ours": "0"
                     *               },
                     *               {
                     *                 "figure": "exempt_amount",
                     *                 "institution": "3388396",
                     *                 "ours": "3388396"
                     *               },
                     *               {
                     *                 "figure": "total_amount",
                     *                 "institution": "3388396",
                     *                 "ours": "3388396"
                     *               }
                     *             ],
                     *             "rows_not_shown": null
                     *           }
                     *         ],
                     *         "totals_left_out": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["PeriodCoverageWithTotals"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    setSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the connection.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": true,
                 *       "frequency_minutes": 1440
                 *     }
                 */
                "application/json": components["schemas"]["SetScheduleRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "enabled": true,
                     *         "frequency_minutes": 1440,
                     *         "next_scheduled_sync_at": "2026-11-03T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            enabled: boolean;
                            /** @example 1440 */
                            frequency_minutes: (60 | 360 | 720 | 1440) | null;
                            /**
                             * Format: date-time
                             * @description Null while the schedule or the connection is disabled.
                             */
                            next_scheduled_sync_at: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    startSync: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes repeats safe: for 24 hours, the same key with the same body gets the first answer again, and with another body 409. Printable ASCII characters.
                 * @example b7c1f0de-start-2026-10
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Id of the connection.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "scopes": [
                 *         "rcv"
                 *       ],
                 *       "metadata": {
                 *         "periods": [
                 *           "2026-10",
                 *           "2026-09"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["StartSyncRequest"];
            };
        };
        responses: {
            /** @description Accepted and in progress. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    ratelimit: components["headers"]["RateLimit"];
                    "ratelimit-policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sync_id": "0192f5d4-8c3e-7a10-9f6b-000000000009",
                     *       "connection_id": "0192f5d4-8c3e-7a10-9f6b-000000000008",
                     *       "scopes": [
                     *         "rcv"
                     *       ],
                     *       "status": "queued"
                     *     }
                     */
                    "application/json": {
                        /**
                         * Format: uuid
                         * @description Id of the sync run.
                         */
                        sync_id: string;
                        /** Format: uuid */
                        connection_id: string;
                        scopes: string[];
                        /** @constant */
                        status: "queued";
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSyncRuns: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the connection.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0192f5d4-8c3e-7a10-9f6b-00000000000c",
                     *           "connection_id": "0192f5d4-8c3e-7a10-9f6b-00000000000d",
                     *           "scopes": [
                     *             "rcv"
                     *           ],
                     *           "scope_outcomes": [
                     *             {
                     *               "scope": "rcv",
                     *               "status": "ok",
                     *               "records_found": 118,
                     *               "duration_ms": 940,
                     *               "period": "2026-10",
                     *               "periods": [
                     *                 "2026-10"
                     *               ],
                     *               "error_code": null,
                     *               "error_message": null,
                     *               "notices": []
                     *             }
                     *           ],
                     *           "status": "succeeded",
                     *           "trigger": "manual",
                     *           "started_at": "2026-11-02T12:00:12.000Z",
                     *           "finished_at": "2026-11-02T12:02:00.000Z",
                     *           "created_at": "2026-11-02T12:00:11.000Z",
                     *           "error_code": null,
                     *           "error_message": null,
                     *           "records_found": 118,
                     *           "records_created": 118,
                     *           "records_updated": 0,
                     *           "progress": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SyncRun"][];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSyncRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the connection.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
                /**
                 * @description Id of the sync run.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0192f5d4-8c3e-7a10-9f6b-00000000000c",
                     *         "connection_id": "0192f5d4-8c3e-7a10-9f6b-00000000000d",
                     *         "scopes": [
                     *           "rcv"
                     *         ],
                     *         "scope_outcomes": [
                     *           {
                     *             "scope": "rcv",
                     *             "status": "ok",
                     *             "records_found": 118,
                     *             "duration_ms": 940,
                     *             "period": "2026-10",
                     *             "periods": [
                     *               "2026-10"
                     *             ],
                     *             "error_code": null,
                     *             "error_message": null,
                     *             "notices": []
                     *           }
                     *         ],
                     *         "status": "succeeded",
                     *         "trigger": "manual",
                     *         "started_at": "2026-11-02T12:00:12.000Z",
                     *         "finished_at": "2026-11-02T12:02:00.000Z",
                     *         "created_at": "2026-11-02T12:00:11.000Z",
                     *         "error_code": null,
                     *         "error_message": null,
                     *         "records_found": 118,
                     *         "records_created": 118,
                     *         "records_updated": 0,
                     *         "progress": null,
                     *         "input_metadata": {
                     *           "periods": [
                     *             "2026-10"
                     *           ]
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SyncRunWithInput"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cancelSyncRun: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes repeats safe: for 24 hours, the same key with the same body gets the first answer again, and with another body 409. Printable ASCII characters.
                 * @example b7c1f0de-start-2026-10
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Id of the connection.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
                /**
                 * @description Id of the sync run.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0192f5d4-8c3e-7a10-9f6b-00000000000a",
                     *         "connection_id": "0192f5d4-8c3e-7a10-9f6b-00000000000b",
                     *         "scopes": [
                     *           "rcv"
                     *         ],
                     *         "scope_outcomes": [
                     *           {
                     *             "scope": "rcv",
                     *             "status": "cancelled",
                     *             "records_found": null,
                     *             "duration_ms": null,
                     *             "period": null,
                     *             "periods": [],
                     *             "error_code": "sync.cancelled",
                     *             "error_message": "The run was cancelled.",
                     *             "notices": []
                     *           }
                     *         ],
                     *         "status": "cancelled",
                     *         "trigger": "manual",
                     *         "started_at": "2026-11-02T12:00:08.000Z",
                     *         "finished_at": "2026-11-02T12:00:09.000Z",
                     *         "created_at": "2026-11-02T12:00:07.000Z",
                     *         "error_code": null,
                     *         "error_message": null,
                     *         "records_found": 0,
                     *         "records_created": 0,
                     *         "records_updated": 0,
                     *         "progress": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["SyncRun"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTaxBoletas: {
        parameters: {
            query?: {
                /** @description Only rows of this month (YYYY-MM). */
                period?: string;
                /** @description 39: taxed electronic receipts, 41: exempt electronic receipts. */
                document_type?: "39" | "41";
                /** @description First day of the summarized day (America/Santiago, inclusive). */
                from?: string;
                /** @description Last day of the summarized day (America/Santiago, inclusive). */
                to?: string;
                /** @description Page size. */
                limit?: number;
                /** @description Rows to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the connection.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "period": "2026-10",
                     *           "document_type": "39",
                     *           "day": 31,
                     *           "total_documentos": 112,
                     *           "net_amount": "169456",
                     *           "exempt_amount": "5649",
                     *           "vat_amount": "32197",
                     *           "total_amount": "207302",
                     *           "channel": null,
                     *           "id": "0192f5d4-8c3e-7a10-9f6b-00000000001b",
                     *           "date": "2026-10-31T03:00:00.000Z",
                     *           "updated_at": "2026-11-02T14:33:07.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "total": 40,
                     *         "limit": 1,
                     *         "offset": 0,
                     *         "has_more": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["TaxBoletasRow"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTaxBoletaPeriods: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the connection.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         "2026-10"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTaxDispatchGuides: {
        parameters: {
            query?: {
                /** @description Only rows of this month (YYYY-MM). */
                period?: string;
                /** @description Seen from the connected company. */
                direction?: "received" | "issued";
                /**
                 * @description Part of the counterparty name, the folio, or the RUT without dots and dash. Case and accents do not matter.
                 * @example nandu
                 */
                q?: string;
                /** @description First day of `issued_at` (America/Santiago, inclusive). */
                from?: string;
                /** @description Last day of `issued_at` (America/Santiago, inclusive). */
                to?: string;
                /** @description Page size. */
                limit?: number;
                /** @description Rows to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the connection.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "period": "2026-10",
                     *           "direction": "issued",
                     *           "folio": "2840001",
                     *           "issued_at": "2026-10-30",
                     *           "counterparty_rut": "70051108-1",
                     *           "counterparty_name": "AGRÍCOLA EL PEÑÓN E.I.R.L.",
                     *           "total_amount": "10585",
                     *           "vat_amount": "1690",
                     *           "status": null,
                     *           "id": "0192f5d4-8c3e-7a10-9f6b-00000000001c"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "total": 16,
                     *         "limit": 1,
                     *         "offset": 0,
                     *         "has_more": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["TaxGuiasRow"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTaxDispatchGuide: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the connection.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
                /**
                 * @description Id of the guide.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                guideId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0192f5d4-8c3e-7a10-9f6b-00000000001c",
                     *         "connection_id": "0192f5d4-8c3e-7a10-9f6b-000000000019",
                     *         "sync_run_id": "0192f5d4-8c3e-7a10-9f6b-000000000017",
                     *         "raw_payload_id": "0192f5d4-8c3e-7a10-9f6b-00000000001d",
                     *         "period": "2026-10",
                     *         "direction": "issued",
                     *         "folio": "2840001",
                     *         "issued_at": "2026-10-30",
                     *         "counterparty_rut": "70051108-1",
                     *         "counterparty_name": "AGRÍCOLA EL PEÑÓN E.I.R.L.",
                     *         "total_amount": "10585",
                     *         "vat_amount": "1690",
                     *         "source_guide_id": "955680000",
                     *         "document_type": "52",
                     *         "net_amount": "8895",
                     *         "exempt_amount": "0",
                     *         "vat_rate": "19.0",
                     *         "received_at": "2026-10-30",
                     *         "event_order": "5",
                     *         "event_description": null,
                     *         "dhdr_codigo": "955680000",
                     *         "raw_row": {
                     *           "rutEmisor": null,
                     *           "dvEmisor": null,
                     *           "rznSocEmisor": null,
                     *           "codigoTipoDoc": null,
                     *           "descTipoDoc": null,
                     *           "periodo": null,
                     *           "totalReparos": null,
                     *           "totOtrosImp": null,
                     *           "rutFirmante": null,
                     *           "dvFirmante": null,
                     *           "idEnvio": null,
                     *           "dhdrEmiCorreo": null,
                     *           "dhdrEmiTelefono1": null,
                     *           "dehOrdenEventoPublicar": null,
                     *           "diasDiferenciaFchVencimiento": null,
                     *           "esPublicable": null,
                     *           "leyendaNoPub": null,
                     *           "diasDifFchRecep": null,
                     *           "fechaVencimiento": null,
                     *           "fechaRecepcionMas9Dias": null,
                     *           "dpuEliminacion": null,
                     *           "difFchPublicacion": null,
                     *           "difFchEliminacion": null,
                     *           "pub": null,
                     *           "despub": null,
                     *           "estadoPub": null,
                     *           "dpuFchPublicacion": null,
                     *           "derrCodigo": null,
                     *           "derrDescripcion": null,
                     *           "datosExpA": null,
                     *           "datosExpB1": null,
                     *           "datosExpB": null,
                     *           "dtimCodigo": null,
                     *           "rutReceptor": 70051108,
                     *           "dvReceptor": "1",
                     *           "rznSocRecep": "AGRÍCOLA EL PEÑÓN E.I.R.L. ",
                     *           "folio": 2840001,
                     *           "fechaEmision": "30/10/2026",
                     *           "fechaEmisionA": "2026/10/30",
                     *           "fechaRecepcion": "30/10/2026",
                     *           "mntNeto": 8895,
                     *           "mntExento": 0,
                     *           "mntIva": 1690,
                     *           "mntTotal": 10585,
                     *           "tasaImptoIVA": 19,
                     *           "dehOrdenEvento": "5",
                     *           "dehDescripcion": "",
                     *           "dhdrCodigo": 955680000
                     *         },
                     *         "created_at": "2026-11-02T14:33:09.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["TaxGuiasDocument"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTaxDispatchGuidePeriods: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the connection.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         "2026-10"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTaxRcvDocuments: {
        parameters: {
            query?: {
                /** @description Only rows of this month (YYYY-MM). */
                period?: string;
                /** @description Seen from the connected company. */
                direction?: "received" | "issued";
                /** @description State in the register: registered, pending, not to be included, claimed. */
                estado?: "registro" | "pendiente" | "no_incluir" | "reclamado";
                /** @description First day of `issued_at` (America/Santiago, inclusive). */
                from?: string;
                /** @description Last day of `issued_at` (America/Santiago, inclusive). */
                to?: string;
                /** @description Page size. */
                limit?: number;
                /** @description Rows to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the connection.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "period": "2026-10",
                     *           "direction": "received",
                     *           "document_type": "34",
                     *           "folio": "28400084",
                     *           "issuer_rut": "70001080-5",
                     *           "issuer_name": "PANADERÍA EJEMPLO S.A.",
                     *           "receiver_rut": "70000002-8",
                     *           "receiver_name": null,
                     *           "issued_at": "2026-10-17",
                     *           "received_at": "2026-10-19T11:38:42.000Z",
                     *           "net_amount": "0",
                     *           "exempt_amount": "51946",
                     *           "vat_amount": "0",
                     *           "total_amount": "51946",
                     *           "currency": "CLP",
                     *           "status": null,
                     *           "estado": "registro",
                     *           "referenced_document_type": null,
                     *           "referenced_folio": null,
                     *           "acknowledged_at": null,
                     *           "claimed_at": null,
                     *           "transaction_type": "Supermercados",
                     *           "id": "0192f5d4-8c3e-7a10-9f6b-000000000018",
                     *           "created_at": "2026-11-02T14:33:05.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "total": 1,
                     *         "limit": 50,
                     *         "offset": 0,
                     *         "has_more": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["TaxRcvRow"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTaxRcvDocument: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the connection.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
                /**
                 * @description Id of the document.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                documentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0192f5d4-8c3e-7a10-9f6b-000000000018",
                     *         "period": "2026-10",
                     *         "direction": "received",
                     *         "document_type": "34",
                     *         "folio": "28400084",
                     *         "issuer_rut": "70001080-5",
                     *         "issuer_name": "PANADERÍA EJEMPLO S.A.",
                     *         "receiver_rut": "70000002-8",
                     *         "receiver_name": null,
                     *         "issued_at": "2026-10-17",
                     *         "received_at": "2026-10-19T11:38:42.000Z",
                     *         "net_amount": "0",
                     *         "exempt_amount": "51946",
                     *         "vat_amount": "0",
                     *         "total_amount": "51946",
                     *         "currency": "CLP",
                     *         "status": null,
                     *         "estado": "registro",
                     *         "referenced_document_type": null,
                     *         "referenced_folio": null,
                     *         "acknowledged_at": null,
                     *         "claimed_at": null,
                     *         "transaction_type": "Supermercados",
                     *         "created_at": "2026-11-02T14:33:05.000Z",
                     *         "connection_id": "0192f5d4-8c3e-7a10-9f6b-000000000019",
                     *         "sync_run_id": "0192f5d4-8c3e-7a10-9f6b-000000000017",
                     *         "raw_payload_id": "0192f5d4-8c3e-7a10-9f6b-00000000001a",
                     *         "source_document_id": "966800168",
                     *         "raw_row": {
                     *           "dcvEstadoContab": null,
                     *           "detIVARetTotal": null,
                     *           "detIVARetParcial": null,
                     *           "detIVAPropio": null,
                     *           "detIVATerceros": null,
                     *           "detIVAFueraPlazo": null,
                     *           "detLiqRutEmisor": null,
                     *           "detLiqDvEmisor": null,
                     *           "detLiqValComNeto": null,
                     *           "detLiqValComExe": null,
                     *           "detLiqValComIVA": null,
                     *           "detAnulado": null,
                     *           "totalDinrMontoIVANoR": null,
                     *           "detTabPuros": null,
                     *           "detTabCigarrillos": null,
                     *           "detTabElaborado": null,
                     *           "detImpVehiculo": null,
                     *           "detCredEc": null,
                     *           "detLey18211": null,
                     *           "detDepEnvase": null,
                     *           "detIndSinCosto": null,
                     *           "detIndServicio": null,
                     *           "detMntNoFact": null,
                     *           "detMntPeriodo": null,
                     *           "detPsjNac": null,
                     *           "detPsjInt": null,
                     *           "detNumInt": null,
                     *           "detCdgSIISucur": null,
                     *           "detEmisorNota": null,
                     *           "fechaActivacionAnotacion": null,
                     *           "detCodigo": 966800168,
                     *           "dhdrCodigo": 1006800168,
                     *           "dcvCodigo": 910000001,
                     *           "detTipoDoc": null,
                     *           "detRutDoc": 70001080,
                     *           "detDvDoc": "5",
                     *           "detRznSoc": "PANADERÍA EJEMPLO S.A.",
                     *           "detNroDoc": 28400084,
                     *           "detFchDoc": "17/10/2026",
                     *           "detFecRecepcion": "19/10/2026 08:38:42",
                     *           "detFecAcuse": null,
                     *           "detFecReclamado": null,
                     *           "detMntExe": 51946,
                     *           "detMntNeto": 0,
                     *           "detMntIVA": 0,
                     *           "detMntTotal": 51946,
                     *           "detMntIVANoRec": 0,
                     *           "detMntCodNoRec": 0,
                     *           "detIVAUsoComun": 0,
                     *           "detMntSinCredito": 0,
                     *           "detIVANoRetenido": 0,
                     *           "detMntActFijo": 0,
                     *           "detMntIVAActFijo": 0,
                     *           "detTipoDocRef": 0,
                     *           "detFolioDocRef": null,
                     *           "detExpNumId": null,
                     *           "detExpNacionalidad": null,
                     *           "detTasaImp": "0",
                     *           "detTipoTransaccion": 2,
                     *           "descTipoTransaccion": "Supermercados",
                     *           "detEventoReceptor": null,
                     *           "detEventoReceptorLeyenda": null,
                     *           "detTpoImp": 1,
                     *           "totalDtoiMontoImp": 0,
                     *           "cambiarTipoTran": false,
                     *           "emisorAgresivo": false,
                     *           "detPcarga": 202610
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["TaxRcvDocument"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTaxRcvDocumentPeriods: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the connection.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         "2026-10"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: string[];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listExternalSources: {
        parameters: {
            query?: {
                /** @description Exact country code, e.g. CL. */
                country?: string;
                /** @description Exact type, e.g. bank. */
                type?: string;
                /** @description Only active or only inactive ones; all when absent. */
                is_active?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "code": "tax",
                     *           "name": "Servicio de Impuestos Internos",
                     *           "type": "tax_authority",
                     *           "country": "CL",
                     *           "is_active": true,
                     *           "supported_scopes": [
                     *             "rcv",
                     *             "boletas",
                     *             "guias"
                     *           ],
                     *           "scopes": [
                     *             {
                     *               "name": "rcv",
                     *               "label": "Registro de compras y ventas",
                     *               "sync_metadata": {
                     *                 "$schema": "https://json-schema.org/draft/2020-12/schema",
                     *                 "type": "object",
                     *                 "properties": {
                     *                   "periods": {
                     *                     "description": "Months to synchronize.",
                     *                     "minItems": 1,
                     *                     "maxItems": 36,
                     *                     "type": "array",
                     *                     "items": {
                     *                       "type": "string",
                     *                       "pattern": "^\\d{4}-(0[1-9]|1[0-2])$"
                     *                     }
                     *                   },
                     *                   "from_period": {
                     *                     "description": "First month; needs to_period.",
                     *                     "type": "string",
                     *                     "pattern": "^\\d{4}-(0[1-9]|1[0-2])$"
                     *                   },
                     *                   "to_period": {
                     *                     "description": "Last month; needs from_period.",
                     *                     "type": "string",
                     *                     "pattern": "^\\d{4}-(0[1-9]|1[0-2])$"
                     *                   }
                     *                 },
                     *                 "additionalProperties": false,
                     *                 "dependentRequired": {
                     *                   "from_period": [
                     *                     "to_period"
                     *                   ],
                     *                   "to_period": [
                     *                     "from_period"
                     *                   ]
                     *                 },
                     *                 "not": {
                     *                   "required": [
                     *                     "periods",
                     *                     "from_period"
                     *                   ]
                     *                 }
                     *               },
                     *               "data_path_template": "/api/connections/{connection_id}/tax-rcv-documents",
                     *               "filters": {
                     *                 "$schema": "https://json-schema.org/draft/2020-12/schema",
                     *                 "type": "object",
                     *                 "properties": {
                     *                   "period": {
                     *                     "description": "Only rows of this month (YYYY-MM).",
                     *                     "type": "string",
                     *                     "pattern": "^\\d{4}-(0[1-9]|1[0-2])$"
                     *                   },
                     *                   "direction": {
                     *                     "type": "string",
                     *                     "enum": [
                     *                       "received",
                     *                       "issued"
                     *                     ],
                     *                     "description": "Seen from the connected company."
                     *                   },
                     *                   "estado": {
                     *                     "type": "string",
                     *                     "enum": [
                     *                       "registro",
                     *                       "pendiente",
                     *                       "no_incluir",
                     *                       "reclamado"
                     *                     ],
                     *                     "description": "State in the register: registered, pending, not to be included, claimed."
                     *                   },
                     *                   "from": {
                     *                     "description": "First day of `issued_at` (America/Santiago, inclusive).",
                     *                     "type": "string",
                     *                     "format": "date",
                     *                     "pattern": "^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))$"
                     *                   },
                     *                   "to": {
                     *                     "description": "Last day of `issued_at` (America/Santiago, inclusive).",
                     *                     "type": "string",
                     *                     "format": "date",
                     *                     "pattern": "^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))$"
                     *                   },
                     *                   "limit": {
                     *                     "default": 50,
                     *                     "description": "Page size.",
                     *                     "type": "integer",
                     *                     "minimum": 1,
                     *                     "maximum": 200
                     *                   },
                     *                   "offset": {
                     *                     "default": 0,
                     *                     "description": "Rows to skip.",
                     *                     "maximum": 9007199254740991,
                     *                     "type": "integer",
                     *                     "minimum": 0
                     *                   }
                     *                 },
                     *                 "additionalProperties": false
                     *               }
                     *             },
                     *             {
                     *               "name": "boletas",
                     *               "label": "Boletas: resumen diario",
                     *               "sync_metadata": {
                     *                 "$schema": "https://json-schema.org/draft/2020-12/schema",
                     *                 "type": "object",
                     *                 "properties": {
                     *                   "periods": {
                     *                     "description": "Months to synchronize.",
                     *                     "minItems": 1,
                     *                     "maxItems": 36,
                     *                     "type": "array",
                     *                     "items": {
                     *                       "type": "string",
                     *                       "pattern": "^\\d{4}-(0[1-9]|1[0-2])$"
                     *                     }
                     *                   },
                     *                   "from_period": {
                     *                     "description": "First month; needs to_period.",
                     *                     "type": "string",
                     *                     "pattern": "^\\d{4}-(0[1-9]|1[0-2])$"
                     *                   },
                     *                   "to_period": {
                     *                     "description": "Last month; needs from_period.",
                     *                     "type": "string",
                     *                     "pattern": "^\\d{4}-(0[1-9]|1[0-2])$"
                     *                   }
                     *                 },
                     *                 "additionalProperties": false,
                     *                 "dependentRequired": {
                     *                   "from_period": [
                     *                     "to_period"
                     *                   ],
                     *                   "to_period": [
                     *                     "from_period"
                     *                   ]
                     *                 },
                     *                 "not": {
                     *                   "required": [
                     *                     "periods",
                     *                     "from_period"
                     *                   ]
                     *                 }
                     *               },
                     *               "data_path_template": "/api/connections/{connection_id}/tax-boletas",
                     *               "filters": {
                     *                 "$schema": "https://json-schema.org/draft/2020-12/schema",
                     *                 "type": "object",
                     *                 "properties": {
                     *                   "period": {
                     *                     "description": "Only rows of this month (YYYY-MM).",
                     *                     "type": "string",
                     *                     "pattern": "^\\d{4}-(0[1-9]|1[0-2])$"
                     *                   },
                     *                   "document_type": {
                     *                     "type": "string",
                     *                     "enum": [
                     *                       "39",
                     *                       "41"
                     *                     ],
                     *                     "description": "39: taxed electronic receipts, 41: exempt electronic receipts."
                     *                   },
                     *                   "from": {
                     *                     "description": "First day of the summarized day (America/Santiago, inclusive).",
                     *                     "type": "string",
                     *                     "format": "date",
                     *                     "pattern": "^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))$"
                     *                   },
                     *                   "to": {
                     *                     "description": "Last day of the summarized day (America/Santiago, inclusive).",
                     *                     "type": "string",
                     *                     "format": "date",
                     *                     "pattern": "^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))$"
                     *                   },
                     *                   "limit": {
                     *                     "default": 50,
                     *                     "description": "Page size.",
                     *                     "type": "integer",
                     *                     "minimum": 1,
                     *                     "maximum": 200
                     *                   },
                     *                   "offset": {
                     *                     "default": 0,
                     *                     "description": "Rows to skip.",
                     *                     "maximum": 9007199254740991,
                     *                     "type": "integer",
                     *                     "minimum": 0
                     *                   }
                     *                 },
                     *                 "additionalProperties": false
                     *               }
                     *             },
                     *             {
                     *               "name": "guias",
                     *               "label": "Guías de despacho",
                     *               "sync_metadata": {
                     *                 "$schema": "https://json-schema.org/draft/2020-12/schema",
                     *                 "type": "object",
                     *                 "properties": {
                     *                   "periods": {
                     *                     "description": "Months to synchronize.",
                     *                     "minItems": 1,
                     *                     "maxItems": 36,
                     *                     "type": "array",
                     *                     "items": {
                     *                       "type": "string",
                     *                       "pattern": "^\\d{4}-(0[1-9]|1[0-2])$"
                     *                     }
                     *                   },
                     *                   "from_period": {
                     *                     "description": "First month; needs to_period.",
                     *                     "type": "string",
                     *                     "pattern": "^\\d{4}-(0[1-9]|1[0-2])$"
                     *                   },
                     *                   "to_period": {
                     *                     "description": "Last month; needs from_period.",
                     *                     "type": "string",
                     *                     "pattern": "^\\d{4}-(0[1-9]|1[0-2])$"
                     *                   }
                     *                 },
                     *                 "additionalProperties": false,
                     *                 "dependentRequired": {
                     *                   "from_period": [
                     *                     "to_period"
                     *                   ],
                     *                   "to_period": [
                     *                     "from_period"
                     *                   ]
                     *                 },
                     *                 "not": {
                     *                   "required": [
                     *                     "periods",
                     *                     "from_period"
                     *                   ]
                     *                 }
                     *               },
                     *               "data_path_template": "/api/connections/{connection_id}/tax-dispatch-guides",
                     *               "filters": {
                     *                 "$schema": "https://json-schema.org/draft/2020-12/schema",
                     *                 "type": "object",
                     *                 "properties": {
                     *                   "period": {
                     *                     "description": "Only rows of this month (YYYY-MM).",
                     *                     "type": "string",
                     *                     "pattern": "^\\d{4}-(0[1-9]|1[0-2])$"
                     *                   },
                     *                   "direction": {
                     *                     "type": "string",
                     *                     "enum": [
                     *                       "received",
                     *                       "issued"
                     *                     ],
                     *                     "description": "Seen from the connected company."
                     *                   },
                     *                   "q": {
                     *                     "type": "string",
                     *                     "pattern": "^[\\s\\S]{1,64}$",
                     *                     "minLength": 1,
                     *                     "maxLength": 64,
                     *                     "examples": [
                     *                       "nandu",
                     *                       "76543210",
                     *                       "771"
                     *                     ],
                     *                     "description": "Part of the counterparty name, the folio, or the RUT without dots and dash. Case and accents do not matter."
                     *                   },
                     *                   "from": {
                     *                     "description": "First day of `issued_at` (America/Santiago, inclusive).",
                     *                     "type": "string",
                     *                     "format": "date",
                     *                     "pattern": "^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))$"
                     *                   },
                     *                   "to": {
                     *                     "description": "Last day of `issued_at` (America/Santiago, inclusive).",
                     *                     "type": "string",
                     *                     "format": "date",
                     *                     "pattern": "^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))$"
                     *                   },
                     *                   "limit": {
                     *                     "default": 50,
                     *                     "description": "Page size.",
                     *                     "type": "integer",
                     *                     "minimum": 1,
                     *                     "maximum": 200
                     *                   },
                     *                   "offset": {
                     *                     "default": 0,
                     *                     "description": "Rows to skip.",
                     *                     "maximum": 9007199254740991,
                     *                     "type": "integer",
                     *                     "minimum": 0
                     *                   }
                     *                 },
                     *                 "additionalProperties": false
                     *               }
                     *             }
                     *           ],
                     *           "metadata": {
                     *             "credentials_schema": {
                     *               "$schema": "https://json-schema.org/draft/2020-12/schema",
                     *               "type": "object",
                     *               "properties": {
                     *                 "rut": {
                     *                   "type": "string",
                     *                   "maxLength": 20,
                     *                   "title": "RUT of the person who logs in",
                     *                   "minLength": 2,
                     *                   "pattern": "^[\\s.\\-0]*[1-9][\\s.\\-]*(\\d[\\s.\\-]*){0,8}[\\dkK][\\s.\\-]*$",
                     *                   "examples": [
                     *                     "76543210-3"
                     *                   ],
                     *                   "x-hint": "person.rut"
                     *                 },
                     *                 "password": {
                     *                   "type": "string",
                     *                   "minLength": 1,
                     *                   "maxLength": 128,
                     *                   "title": "Clave tributaria",
                     *                   "format": "password"
                     *                 },
                     *                 "company_rut": {
                     *                   "type": "string",
                     *                   "maxLength": 20,
                     *                   "title": "RUT of the company whose register is read; absent: the one that logs in",
                     *                   "minLength": 2,
                     *                   "pattern": "^[\\s.\\-0]*[1-9][\\s.\\-]*(\\d[\\s.\\-]*){0,8}[\\dkK][\\s.\\-]*$",
                     *                   "examples": [
                     *                     "76543210-3"
                     *                   ],
                     *                   "x-hint": "register.or-login"
                     *                 }
                     *               },
                     *               "required": [
                     *                 "rut",
                     *                 "password"
                     *               ],
                     *               "additionalProperties": false
                     *             },
                     *             "connection_metadata_schema": {
                     *               "$schema": "https://json-schema.org/draft/2020-12/schema",
                     *               "type": "object",
                     *               "properties": {},
                     *               "additionalProperties": false
                     *             }
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ExternalSource"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    decideAuthorization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "query": "response_type=code&client_id=dcr1.eyJuYW1lIjoiQWdlbnRlIGNvbnRhYmxlIiwicmVkaXJlY3RfdXJpcyI6WyJodHRwczovL2FnZW50LmV4YW1wbGUvY2FsbGJhY2siXSwicmVmcmVzaCI6dHJ1ZX0&redirect_uri=https%3A%2F%2Fagent.example%2Fcallback&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256&state=af0ifjsldkj",
                 *       "digest": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
                 *       "decision": "deny"
                 *     }
                 */
                "application/json": components["schemas"]["DecideAuthorizationRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    ratelimit: components["headers"]["RateLimit"];
                    "ratelimit-policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "redirect_to": "https://agent.example/callback?error=access_denied&error_description=the+person+did+not+allow+it&state=af0ifjsldkj&iss=https%3A%2F%2Fapp.example"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @example https://agent.example/callback?error=access_denied&state=af0ifjsldkj&iss=https%3A%2F%2Fapp.example */
                            redirect_to: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listGrants: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0192f5d4-8c3e-7a10-9f6b-000000000004",
                     *           "client_id": "dcr1.eyJuYW1lIjoiQWdlbnRlIGNvbnRhYmxlIiwicmVkaXJlY3RfdXJpcyI6WyJodHRwczovL2FnZW50LmV4YW1wbGUvY2FsbGJhY2siXSwicmVmcmVzaCI6dHJ1ZX0",
                     *           "client_name": "Agente contable",
                     *           "client_publisher": null,
                     *           "redirect_kind": "web",
                     *           "redirect_host": "agent.example",
                     *           "scope": "data:read",
                     *           "subject": "0192f5d4-8c3e-7a10-9f6b-000000000005",
                     *           "status": "active",
                     *           "created_at": "2026-11-02T12:00:04.000Z",
                     *           "expires_at": "2027-05-01T12:00:04.000Z",
                     *           "last_used_at": null,
                     *           "revoked_at": null,
                     *           "revoked_for": null
                     *         },
                     *         {
                     *           "id": "0192f5d4-8c3e-7a10-9f6b-000000000006",
                     *           "client_id": "operator",
                     *           "client_name": "Operator",
                     *           "client_publisher": null,
                     *           "redirect_kind": "none",
                     *           "redirect_host": "",
                     *           "scope": "data:read",
                     *           "subject": "operator",
                     *           "status": "active",
                     *           "created_at": "2026-11-02T12:00:00.000Z",
                     *           "expires_at": "2026-12-02T12:00:00.000Z",
                     *           "last_used_at": null,
                     *           "revoked_at": null,
                     *           "revoked_for": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Grant"][];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeGrant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the grant.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0192f5d4-8c3e-7a10-9f6b-000000000004",
                     *         "client_id": "dcr1.eyJuYW1lIjoiQWdlbnRlIGNvbnRhYmxlIiwicmVkaXJlY3RfdXJpcyI6WyJodHRwczovL2FnZW50LmV4YW1wbGUvY2FsbGJhY2siXSwicmVmcmVzaCI6dHJ1ZX0",
                     *         "client_name": "Agente contable",
                     *         "client_publisher": null,
                     *         "redirect_kind": "web",
                     *         "redirect_host": "agent.example",
                     *         "scope": "data:read",
                     *         "subject": "0192f5d4-8c3e-7a10-9f6b-000000000005",
                     *         "status": "revoked",
                     *         "created_at": "2026-11-02T12:00:04.000Z",
                     *         "expires_at": "2027-05-01T12:00:04.000Z",
                     *         "last_used_at": null,
                     *         "revoked_at": "2026-11-02T12:00:05.000Z",
                     *         "revoked_for": "person"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Grant"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    reviewAuthorization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "query": "response_type=code&client_id=dcr1.eyJuYW1lIjoiQWdlbnRlIGNvbnRhYmxlIiwicmVkaXJlY3RfdXJpcyI6WyJodHRwczovL2FnZW50LmV4YW1wbGUvY2FsbGJhY2siXSwicmVmcmVzaCI6dHJ1ZX0&redirect_uri=https%3A%2F%2Fagent.example%2Fcallback&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256&state=af0ifjsldkj"
                 *     }
                 */
                "application/json": components["schemas"]["ReviewAuthorizationRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    ratelimit: components["headers"]["RateLimit"];
                    "ratelimit-policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "kind": "consent",
                     *         "client": {
                     *           "id": "dcr1.eyJuYW1lIjoiQWdlbnRlIGNvbnRhYmxlIiwicmVkaXJlY3RfdXJpcyI6WyJodHRwczovL2FnZW50LmV4YW1wbGUvY2FsbGJhY2siXSwicmVmcmVzaCI6dHJ1ZX0",
                     *           "name": "Agente contable",
                     *           "publisher": null
                     *         },
                     *         "redirect_kind": "web",
                     *         "redirect_host": "agent.example",
                     *         "organization_id": "0192f5d4-8c3e-7a10-9f6b-000000000003",
                     *         "connections": [],
                     *         "days": 180,
                     *         "scope": "data:read",
                     *         "digest": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
                     *         "to": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /**
                             * @description consent: ask the person; redirect: the request is invalid, send the browser back to the application.
                             * @enum {string}
                             */
                            kind: "consent" | "redirect";
                            client: {
                                /**
                                 * @description Address at which the application is published, or its encoded registration.
                                 * @example dcr1.eyJuYW1lIjoiQWdlbnRlIGNvbnRhYmxlIiwicmVkaXJlY3RfdXJpcyI6WyJodHRwczovL2FnZW50LmV4YW1wbGUvY2FsbGJhY2siXSwicmVmcmVzaCI6dHJ1ZX0
                                 */
                                id: string;
                                /**
                                 * @description Name that the application gave; empty if it gave none.
                                 * @example Agente contable
                                 */
                                name: string;
                                /**
                                 * @description Host that publishes the name. Null if the name is unverified.
                                 * @example null
                                 */
                                publisher: string | null;
                            };
                            /**
                             * @description Where the answer went. web: a site; loopback: a program on the person’s computer; app: an app with its own scheme; none: an operator created the grant.
                             * @example web
                             * @enum {string}
                             */
                            redirect_kind: "web" | "loopback" | "app" | "none";
                            /**
                             * @description Host and port of the site or program, or the scheme of the app.
                             * @example agent.example
                             */
                            redirect_host: string;
                            /** Format: uuid */
                            organization_id: string;
                            /**
                             * @description Requested scope; null with `redirect`.
                             * @example data:read
                             */
                            scope: string | null;
                            /** @description Connections of the organization, which the application could read. */
                            connections: {
                                /** Format: uuid */
                                id: string;
                                /** @example Mi empresa */
                                name: string;
                                /** @example tax */
                                external_source_code: string;
                            }[];
                            /**
                             * @description Number of days after which the permission ends.
                             * @example 180
                             */
                            days: number;
                            /**
                             * @description Digest of the request, to be sent with the decision. Null with `redirect`.
                             * @example E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM
                             */
                            digest: string | null;
                            /**
                             * @description With `redirect`: address of the application, with the error.
                             * @example null
                             */
                            to: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getOpenapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "openapi": "3.1.0",
                     *       "info": {
                     *         "title": "Data connections API",
                     *         "version": "1.0.0"
                     *       },
                     *       "paths": {}
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        openapi: "3.1.0";
                        info: {
                            title: string;
                            version: string;
                        } & {
                            [key: string]: unknown;
                        };
                        paths: {
                            [key: string]: unknown;
                        };
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description Unchanged since the version in `If-None-Match`. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    etag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTenderChanges: {
        parameters: {
            query?: {
                /** @description `feed.next_cursor` of an earlier answer of this path. */
                cursor?: string;
                /** @description Page size. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "change": "changed",
                     *           "codigo": "990101-745-LQ26",
                     *           "scope": "licitaciones",
                     *           "connection_id": "0192f5d4-8c3e-7a10-9f6b-00000000002f",
                     *           "observed_at": "2026-11-02T14:33:13.000Z",
                     *           "sequence": 1
                     *         }
                     *       ],
                     *       "feed": {
                     *         "next_cursor": "WzEsImhNNDVGLTRwIiwidGVuZGVycyIsIjAxOTJmNWQ0LThjM2UtN2ExMC05ZjZiLTAwMDAwMDAwMDAwMyIsMV0",
                     *         "has_more": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["TenderChange"][];
                        feed: components["schemas"]["Feed"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    downloadDocumento: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the document.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                documentoId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file in its own content type, for clients that follow the redirect automatically. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The file is at `location`. */
            302: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDocumentoLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the document.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                documentoId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "url": "https://documents.example.com/data-connections-local-data-documents7e5b2978/0192f5d4-8c3e-7a10-9f6b-000000000003/0192f5d4-8c3e-7a10-9f6b-00000000002f/files/0192f5d4-8c3e-7a10-9f6b-000000000038?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Expires=60&X-Amz-Signature=0a1b0a1b0a1b0a1b0a1b0a1b0a1b0a1b0a1b0a1b0a1b0a1b0a1b0a1b0a1b0a1b",
                     *         "expires_at": "2026-11-02T14:34:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /**
                             * Format: uri
                             * @description Downloads the file; works for everyone who has the link.
                             * @example https://documents.example.com/bases.pdf?X-Amz-Signature=0a1b
                             */
                            url: string;
                            /**
                             * Format: date-time
                             * @description The URL is refused from this time on. UTC, with milliseconds.
                             */
                            expires_at: string;
                        };
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listLicitaciones: {
        parameters: {
            query?: {
                /** @description Only tenders in this state. */
                estado?: "publicada" | "cerrada" | "desierta" | "adjudicada" | "revocada" | "suspendida";
                /**
                 * @description Part of the tender's name, of the buyer's name, or of the buyer's RUT without dots and dash. Case and accents do not matter.
                 * @example bodegas
                 */
                q?: string;
                /** @description First day of `fecha_publicacion` (America/Santiago, inclusive). */
                from?: string;
                /** @description Last day of `fecha_publicacion` (America/Santiago, inclusive). */
                to?: string;
                /** @description Page size. */
                limit?: number;
                /** @description Rows to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0192f5d4-8c3e-7a10-9f6b-00000000002e",
                     *           "codigo": "990101-815-LQ26",
                     *           "nombre": "Mantención de calderas y reparación de daños",
                     *           "descripcion": "Según bases administrativas y técnicas.\nIncluye traslado a Ñuñoa & alrededores.",
                     *           "estado": "cerrada",
                     *           "tipo_licitacion": "LQ",
                     *           "tipo_convocatoria": "abierta",
                     *           "moneda": "USD",
                     *           "monto_estimado": "46002.56",
                     *           "organismo_razon_social": "SERVICIO FICTICIO DE NIEVES",
                     *           "organismo_rut": "61900101-K",
                     *           "unidad_compra": "Abastecimiento Sur",
                     *           "region": "Región de la Araucanía",
                     *           "comuna": "Temuco",
                     *           "direccion": "Calle Inventada 306",
                     *           "fecha_publicacion": "2026-10-13T12:58:41.000Z",
                     *           "fecha_inicio_preguntas": "2026-10-13T13:01:00.000Z",
                     *           "fecha_fin_preguntas": "2026-10-17T21:00:00.000Z",
                     *           "fecha_publicacion_respuestas": "2026-10-20T21:00:00.000Z",
                     *           "fecha_cierre": "2026-10-28T18:00:00.000Z",
                     *           "fecha_apertura_tecnica": "2026-10-28T18:01:00.000Z",
                     *           "fecha_apertura_economica": "2026-10-28T18:01:00.000Z",
                     *           "fecha_adjudicacion": "2026-11-18T20:00:00.000Z",
                     *           "observed_at": "2026-11-02T14:33:14.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "total": 3,
                     *         "limit": 1,
                     *         "offset": 0,
                     *         "has_more": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ProcurementLicitacionesRow"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getLicitacion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Code of the tender, upper or lower case.
                 * @example 1509-5-L114
                 */
                codigo: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0192f5d4-8c3e-7a10-9f6b-00000000002d",
                     *         "codigo": "990101-745-LQ26",
                     *         "nombre": "Mantención de calderas y reparación de daños",
                     *         "descripcion": "Según bases administrativas y técnicas.\nIncluye traslado a Ñuñoa & alrededores.",
                     *         "estado": "adjudicada",
                     *         "tipo_licitacion": "LQ",
                     *         "tipo_convocatoria": "abierta",
                     *         "moneda": "CLF",
                     *         "monto_estimado": "30935.47",
                     *         "organismo_razon_social": "SERVICIO FICTICIO DE NIEVES",
                     *         "organismo_rut": "61900101-K",
                     *         "unidad_compra": "Adquisiciones",
                     *         "region": "Región Metropolitana de Santiago",
                     *         "comuna": "Ñuñoa",
                     *         "direccion": "Calle Inventada 848",
                     *         "fecha_publicacion": "2026-03-08T12:58:41.000Z",
                     *         "fecha_inicio_preguntas": "2026-03-08T13:01:00.000Z",
                     *         "fecha_fin_preguntas": "2026-03-12T21:00:00.000Z",
                     *         "fecha_publicacion_respuestas": "2026-03-15T21:00:00.000Z",
                     *         "fecha_cierre": "2026-03-23T18:00:00.000Z",
                     *         "fecha_apertura_tecnica": "2026-03-23T18:01:00.000Z",
                     *         "fecha_apertura_economica": "2026-03-23T18:01:00.000Z",
                     *         "fecha_adjudicacion": "2026-04-13T21:00:00.000Z",
                     *         "observed_at": "2026-11-02T14:33:13.000Z",
                     *         "raw_ficha": {
                     *           "CodigoExterno": "990101-745-LQ26",
                     *           "Nombre": "Mantención de calderas y reparación de daños",
                     *           "CodigoEstado": 8,
                     *           "Descripcion": "Según bases administrativas y técnicas.\nIncluye traslado a Ñuñoa & alrededores.",
                     *           "FechaCierre": null,
                     *           "Estado": "Adjudicada",
                     *           "Comprador": {
                     *             "CodigoOrganismo": "9901",
                     *             "NombreOrganismo": "SERVICIO FICTICIO DE NIEVES",
                     *             "RutUnidad": "61.900.101-K",
                     *             "CodigoUnidad": "990101",
                     *             "NombreUnidad": "Adquisiciones",
                     *             "DireccionUnidad": "Calle Inventada 848",
                     *             "ComunaUnidad": "Ñuñoa",
                     *             "RegionUnidad": "Región Metropolitana de Santiago",
                     *             "RutUsuario": "",
                     *             "CodigoUsuario": "500001",
                     *             "NombreUsuario": "Persona Ficticia",
                     *             "CargoUsuario": "Comprador"
                     *           },
                     *           "DiasCierreLicitacion": "15",
                     *           "Informada": 0,
                     *           "CodigoTipo": 1,
                     *           "Tipo": "LQ",
                     *           "TipoConvocatoria": "1",
                     *           "Moneda": "CLF",
                     *           "Etapas": 1,
                     *           "EstadoEtapas": "0",
                     *           "TomaRazon": "0",
                     *           "EstadoPublicidadOfertas": 1,
                     *           "JustificacionPublicidad": "",
                     *           "Contrato": "1",
                     *           "Obras": "0",
                     *           "CantidadReclamos": 7,
                     *           "Fechas": {
                     *             "FechaCreacion": "2026-03-08T09:58:41",
                     *             "FechaCierre": "2026-03-23T15:00:00",
                     *             "FechaInicio": "2026-03-08T10:01:00",
                     *             "FechaFinal": "2026-03-12T18:00:00",
                     *             "FechaPubRespuestas": "2026-03-15T18:00:00",
                     *             "FechaActoAperturaTecnica": "2026-03-23T15:01:00",
                     *             "FechaActoAperturaEconomica": "2026-03-23T15:01:00",
                     *             "FechaPublicacion": "2026-03-08T09:58:41",
                     *             "FechaAdjudicacion": "2026-04-13T17:00:00",
                     *             "FechaEstimadaAdjudicacion": "2026-04-13T17:00:00",
                     *             "FechaSoporteFisico": null,
                     *             "FechaTiempoEvaluacion": null,
                     *             "FechaEstimadaFirma": null,
                     *             "FechasUsuario": "1900-01-03T00:00:00",
                     *             "FechaVisitaTerreno": null,
                     *             "FechaEntregaAntecedentes": null
                     *           },
                     *           "UnidadTiempoEvaluacion": 1,
                     *           "DireccionVisita": "",
                     *           "DireccionEntrega": "",
                     *           "Estimacion": 1,
                     *           "FuenteFinanciamiento": "",
                     *           "VisibilidadMonto": 1,
                     *           "MontoEstimado": 30935.47,
                     *           "Tiempo": null,
                     *           "UnidadTiempo": "4",
                     *           "Modalidad": 1,
                     *           "TipoPago": "1",
                     *           "TipoDuracionContrato": " ",
                     *           "CodigoBIP": null,
                     *           "Adjudicacion": {
                     *             "Tipo": 2,
                     *             "Fecha": "2026-04-13T17:00:00",
                     *             "Numero": "4471",
                     *             "NumeroOferentes": 3,
                     *             "UrlActa": "http://www.mercadopublico.cl/Procurement/Modules/RFB/StepsProcessAward/PreviewAwardAct.aspx?qs=x"
                     *           },
                     *           "Items": {
                     *             "Cantidad": 1,
                     *             "Listado": [
                     *               {
                     *                 "Correlativo": 1,
                     *                 "CodigoProducto": 78131600,
                     *                 "CodigoCategoria": "78131600",
                     *                 "Categoria": "Almacenaje",
                     *                 "NombreProducto": "Bodegaje",
                     *                 "Descripcion": "Bodega 400 m2",
                     *                 "UnidadMedida": "Mes",
                     *                 "Cantidad": 12,
                     *                 "Adjudicacion": null
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ProcurementLicitacionesDocument"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listLicitacionDocumentos: {
        parameters: {
            query?: {
                /** @description Page size. */
                limit?: number;
                /** @description Rows to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Code of the tender, upper or lower case.
                 * @example 1509-5-L114
                 */
                codigo: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0192f5d4-8c3e-7a10-9f6b-000000000038",
                     *           "codigo": "990101-745-LQ26",
                     *           "documento_id": "uYrW8_QO3JAZbnxBhMEy",
                     *           "origen": "anexo",
                     *           "nombre": "Trazado de la ruta 6.kml",
                     *           "tipo": "Anexos Técnicos",
                     *           "descripcion": "Documento 6 & anexo",
                     *           "tamano": "6144",
                     *           "fecha_adjunto": "2026-03-08T12:58:41.000Z",
                     *           "locator": {
                     *             "listing": "anexo",
                     *             "ficha": "990101-745-LQ26",
                     *             "page": 1,
                     *             "control": "DWNL$grdId$ctl07$search",
                     *             "nombre": "Trazado de la ruta 6.kml",
                     *             "shown": "[\"trazado de la ruta 6.kml\",\"anexos técnicos\",\"2026-03-08T12:58:41.000Z\"]",
                     *             "size": "6 Kb"
                     *           }
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "total": 13,
                     *         "limit": 1,
                     *         "offset": 0,
                     *         "has_more": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ProcurementDocumentosRow"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listLicitacionOfertas: {
        parameters: {
            query?: {
                /** @description Page size. */
                limit?: number;
                /** @description Rows to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Code of the tender, upper or lower case.
                 * @example 1509-5-L114
                 */
                codigo: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0192f5d4-8c3e-7a10-9f6b-000000000031",
                     *           "codigo": "990101-745-LQ26",
                     *           "oferente_rut": "76500037-8",
                     *           "proveedor_razon_social": "Ferretería Añil Ltda.",
                     *           "nombre_oferta": "Oferta principal",
                     *           "estado": "Aceptada",
                     *           "total_oferta": "45709.50",
                     *           "habil_chileproveedores": null,
                     *           "documentos": [
                     *             {
                     *               "id": "0192f5d4-8c3e-7a10-9f6b-000000000032",
                     *               "codigo": "990101-745-LQ26",
                     *               "oferente_rut": "76500037-8",
                     *               "documento_id": "nJzyxLK9p1zHEmfsL85H",
                     *               "origen": "tecnico",
                     *               "nombre": "Bases administrativas 1.pdf",
                     *               "locator": {
                     *                 "listing": "oferta",
                     *                 "rut": "76500037-8",
                     *                 "oferta": "Oferta principal",
                     *                 "boton": "tecnico",
                     *                 "ficha": "990101-745-LQ26",
                     *                 "page": 1,
                     *                 "control": "DWNL$grdId$ctl02$search",
                     *                 "nombre": "Bases administrativas 1.pdf",
                     *                 "shown": "[\"bases administrativas 1.pdf\",\"anexos administrativos de adquisición\",\"2026-03-23T14:20:00.000Z\"]",
                     *                 "size": "23 Kb"
                     *               }
                     *             },
                     *             {
                     *               "id": "0192f5d4-8c3e-7a10-9f6b-000000000033",
                     *               "codigo": "990101-745-LQ26",
                     *               "oferente_rut": "76500037-8",
                     *               "documento_id": "Wm_c2XFcQTYgfbCDhjBk",
                     *               "origen": "tecnico",
                     *               "nombre": "Anexo N°1 Identificación del oferente 2.docx",
                     *               "locator": {
                     *                 "listing": "oferta",
                     *                 "rut": "76500037-8",
                     *                 "oferta": "Oferta principal",
                     *                 "boton": "tecnico",
                     *                 "ficha": "990101-745-LQ26",
                     *                 "page": 1,
                     *                 "control": "DWNL$grdId$ctl03$search",
                     *                 "nombre": "Anexo N°1 Identificación del oferente 2.docx",
                     *                 "shown": "[\"anexo n°1 identificación del oferente 2.docx\",\"anexos administrativos de adquisición\",\"2026-03-23T14:20:00.000Z\"]",
                     *                 "size": "39 Kb"
                     *               }
                     *             },
                     *             {
                     *               "id": "0192f5d4-8c3e-7a10-9f6b-000000000034",
                     *               "codigo": "990101-745-LQ26",
                     *               "oferente_rut": "76500037-8",
                     *               "documento_id": "1EiaYojnwDv9bXO1PVqj",
                     *               "origen": "tecnico",
                     *               "nombre": "Especificación técnica 3.pdf",
                     *               "locator": {
                     *                 "listing": "oferta",
                     *                 "rut": "76500037-8",
                     *                 "oferta": "Oferta principal",
                     *                 "boton": "tecnico",
                     *                 "ficha": "990101-745-LQ26",
                     *                 "page": 1,
                     *                 "control": "DWNL$grdId$ctl04$search",
                     *                 "nombre": "Especificación técnica 3.pdf",
                     *                 "shown": "[\"especificación técnica 3.pdf\",\"anexos técnicos\",\"2026-03-23T14:20:00.000Z\"]",
                     *                 "size": "9 Kb"
                     *               }
                     *             },
                     *             {
                     *               "id": "0192f5d4-8c3e-7a10-9f6b-000000000035",
                     *               "codigo": "990101-745-LQ26",
                     *               "oferente_rut": "76500037-8",
                     *               "documento_id": "1EiaYojnwDv9bXO1PVqj-2",
                     *               "origen": "tecnico",
                     *               "nombre": "Especificación técnica 3.pdf",
                     *               "locator": {
                     *                 "listing": "oferta",
                     *                 "rut": "76500037-8",
                     *                 "oferta": "Oferta principal",
                     *                 "boton": "tecnico",
                     *                 "ficha": "990101-745-LQ26",
                     *                 "page": 1,
                     *                 "control": "DWNL$grdId$ctl05$search",
                     *                 "nombre": "Especificación técnica 3.pdf",
                     *                 "shown": "[\"especificación técnica 3.pdf\",\"anexos técnicos\",\"2026-03-23T14:20:00.000Z\"]",
                     *                 "size": "7 Kb"
                     *               }
                     *             },
                     *             {
                     *               "id": "0192f5d4-8c3e-7a10-9f6b-000000000036",
                     *               "codigo": "990101-745-LQ26",
                     *               "oferente_rut": "76500037-8",
                     *               "documento_id": "NwAG1E_9JCzR8D5KpCaJ",
                     *               "origen": "economico",
                     *               "nombre": "Bases administrativas 1.pdf",
                     *               "locator": {
                     *                 "listing": "oferta",
                     *                 "rut": "76500037-8",
                     *                 "oferta": "Oferta principal",
                     *                 "boton": "economico",
                     *                 "ficha": "990101-745-LQ26",
                     *                 "page": 1,
                     *                 "control": "DWNL$grdId$ctl02$search",
                     *                 "nombre": "Bases administrativas 1.pdf",
                     *                 "shown": "[\"bases administrativas 1.pdf\",\"anexos administrativos de adquisición\",\"2026-03-23T14:20:00.000Z\"]",
                     *                 "size": "27 Kb"
                     *               }
                     *             },
                     *             {
                     *               "id": "0192f5d4-8c3e-7a10-9f6b-000000000037",
                     *               "codigo": "990101-745-LQ26",
                     *               "oferente_rut": "76500037-8",
                     *               "documento_id": "dQSQohVvV0DEu6K97lrl",
                     *               "origen": "economico",
                     *               "nombre": "Anexo N°1 Identificación del oferente 2.docx",
                     *               "locator": {
                     *                 "listing": "oferta",
                     *                 "rut": "76500037-8",
                     *                 "oferta": "Oferta principal",
                     *                 "boton": "economico",
                     *                 "ficha": "990101-745-LQ26",
                     *                 "page": 1,
                     *                 "control": "DWNL$grdId$ctl03$search",
                     *                 "nombre": "Anexo N°1 Identificación del oferente 2.docx",
                     *                 "shown": "[\"anexo n°1 identificación del oferente 2.docx\",\"anexos administrativos de adquisición\",\"2026-03-23T14:20:00.000Z\"]",
                     *                 "size": "37 Kb"
                     *               }
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "total": 3,
                     *         "limit": 1,
                     *         "offset": 0,
                     *         "has_more": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ProcurementOfertasRow"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listLicitacionPreguntas: {
        parameters: {
            query?: {
                /** @description Page size. */
                limit?: number;
                /** @description Rows to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Code of the tender, upper or lower case.
                 * @example 1509-5-L114
                 */
                codigo: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0192f5d4-8c3e-7a10-9f6b-000000000030",
                     *           "codigo": "990101-745-LQ26",
                     *           "pregunta_id": "24255100000",
                     *           "numero": "1",
                     *           "tema": null,
                     *           "pregunta": "¿Hay visita a terreno?",
                     *           "respuesta": "Sí, es obligatoria.",
                     *           "fecha_pregunta": "2026-03-09T08:15:52.000Z",
                     *           "fecha_respuesta": "2026-03-15T20:40:03.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "total": 4,
                     *         "limit": 1,
                     *         "offset": 0,
                     *         "has_more": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ProcurementPreguntasRow"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0192f5d4-8c3e-7a10-9f6b-00000000000e",
                     *           "url": "https://example.com/webhooks",
                     *           "event_types": [
                     *             "sync.succeeded",
                     *             "sync.partial",
                     *             "sync.failed"
                     *           ],
                     *           "enabled": true,
                     *           "disabled_at": null,
                     *           "last_success_at": "2026-11-02T12:02:03.000Z",
                     *           "created_at": "2026-11-02T12:00:10.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WebhookEndpoint"][];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes repeats safe: for 24 hours, the same key with the same body gets the first answer again, and with another body 409. Printable ASCII characters.
                 * @example b7c1f0de-start-2026-10
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/webhooks",
                 *       "event_types": [
                 *         "sync.succeeded",
                 *         "sync.partial",
                 *         "sync.failed"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateWebhookRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0192f5d4-8c3e-7a10-9f6b-000000000007",
                     *         "url": "https://example.com/webhooks",
                     *         "event_types": [
                     *           "sync.succeeded",
                     *           "sync.partial",
                     *           "sync.failed"
                     *         ],
                     *         "enabled": true,
                     *         "disabled_at": null,
                     *         "last_success_at": null,
                     *         "created_at": "2026-11-02T12:00:06.000Z",
                     *         "secret": "whsec_bm90IGEgc2VjcmV0LCBidXQgYW4gZXhhbXBsZSAxLg=="
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WebhookEndpointWithSecret"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the webhook endpoint.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0192f5d4-8c3e-7a10-9f6b-00000000000e",
                     *         "url": "https://example.com/webhooks",
                     *         "event_types": [
                     *           "sync.succeeded",
                     *           "sync.partial",
                     *           "sync.failed"
                     *         ],
                     *         "enabled": true,
                     *         "disabled_at": null,
                     *         "last_success_at": "2026-11-02T12:02:03.000Z",
                     *         "created_at": "2026-11-02T12:00:10.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WebhookEndpoint"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the webhook endpoint.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0192f5d4-8c3e-7a10-9f6b-000000000007",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** @constant */
                            deleted: true;
                        };
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the webhook endpoint.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/webhooks"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateWebhookRequest"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0192f5d4-8c3e-7a10-9f6b-000000000007",
                     *         "url": "https://example.com/webhooks",
                     *         "event_types": [
                     *           "sync.succeeded",
                     *           "sync.partial",
                     *           "sync.failed"
                     *         ],
                     *         "enabled": true,
                     *         "disabled_at": null,
                     *         "last_success_at": null,
                     *         "created_at": "2026-11-02T12:00:06.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WebhookEndpoint"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Page size. */
                limit?: number;
                /** @description Rows to skip. */
                offset?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the webhook endpoint.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "0192f5d4-8c3e-7a10-9f6b-00000000000f",
                     *           "event_type": "sync.succeeded",
                     *           "status": "failed",
                     *           "attempts": 4,
                     *           "response_status": 503,
                     *           "error": "answered 503",
                     *           "last_attempt_at": "2026-11-02T14:33:01.000Z",
                     *           "created_at": "2026-11-02T12:02:04.000Z"
                     *         },
                     *         {
                     *           "id": "0192f5d4-8c3e-7a10-9f6b-000000000010",
                     *           "event_type": "sync.succeeded",
                     *           "status": "delivered",
                     *           "attempts": 1,
                     *           "response_status": 204,
                     *           "error": null,
                     *           "last_attempt_at": "2026-11-02T12:02:02.000Z",
                     *           "created_at": "2026-11-02T12:02:01.000Z"
                     *         }
                     *       ],
                     *       "pagination": {
                     *         "total": 2,
                     *         "limit": 50,
                     *         "offset": 0,
                     *         "has_more": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WebhookDelivery"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resendWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes repeats safe: for 24 hours, the same key with the same body gets the first answer again, and with another body 409. Printable ASCII characters.
                 * @example b7c1f0de-start-2026-10
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Id of the webhook endpoint.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
                /**
                 * @description Id of the delivery.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted and in progress. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0192f5d4-8c3e-7a10-9f6b-00000000000f",
                     *         "event_type": "sync.succeeded",
                     *         "status": "pending",
                     *         "attempts": 4,
                     *         "response_status": 503,
                     *         "error": "answered 503",
                     *         "last_attempt_at": "2026-11-02T14:33:01.000Z",
                     *         "created_at": "2026-11-02T12:02:04.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WebhookDelivery"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rollWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes repeats safe: for 24 hours, the same key with the same body gets the first answer again, and with another body 409. Printable ASCII characters.
                 * @example b7c1f0de-start-2026-10
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Id of the webhook endpoint.
                 * @example 4f9d3c52-7a1e-4b60-9c8d-000000000d1b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "0192f5d4-8c3e-7a10-9f6b-000000000007",
                     *         "url": "https://example.com/webhooks",
                     *         "event_types": [
                     *           "sync.succeeded",
                     *           "sync.partial",
                     *           "sync.failed"
                     *         ],
                     *         "enabled": true,
                     *         "disabled_at": null,
                     *         "last_success_at": null,
                     *         "created_at": "2026-11-02T12:00:06.000Z",
                     *         "secret": "whsec_bm90IGEgc2VjcmV0LCBidXQgYW4gZXhhbXBsZSAyLg=="
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WebhookEndpointWithSecret"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableContent"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
}
