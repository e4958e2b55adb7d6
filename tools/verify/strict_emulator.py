"""Runs ministack with patches of its CloudFormation, so that it refuses what AWS refuses.

It deletes no bucket with objects and no table that is protected from deletion. It creates no queue whose name is in the
file `refused-queues` of the working directory, as if the account's requests were throttled.
"""

import sys
from pathlib import Path

from ministack.app import main
from ministack.services import dynamodb, s3
from ministack.services.cloudformation import provisioners

REFUSED = Path("refused-queues")


def patched(resource_type, verb, check):
    handlers = provisioners._RESOURCE_HANDLERS[resource_type]
    lenient = handlers[verb]

    def strict(*args, **named):
        check(*args)
        return lenient(*args, **named)

    handlers[verb] = strict


def bucket_is_empty(physical_id, *_):
    bucket = s3._buckets.get(physical_id)
    if bucket is not None and bucket["objects"]:
        raise ValueError(f"The bucket {physical_id} is not empty: it has {len(bucket['objects'])} objects")


def table_is_unprotected(physical_id, *_):
    table = dynamodb._tables.get(physical_id)
    if table is not None and table.get("DeletionProtectionEnabled"):
        raise ValueError(f"The table {physical_id} is protected from deletion")


def queue_is_not_refused(_, props, *__):
    if REFUSED.exists() and props.get("QueueName") in REFUSED.read_text().splitlines():
        raise ValueError(f"Rate exceeded: the queue {props['QueueName']} was not created")


patched("AWS::S3::Bucket", "delete", bucket_is_empty)
patched("AWS::DynamoDB::Table", "delete", table_is_unprotected)
patched("AWS::SQS::Queue", "create", queue_is_not_refused)
sys.exit(main())
