"""Runs ministack with a patch that makes its CloudFormation refuse to delete a bucket with objects, as on AWS."""

import sys

from ministack.app import main
from ministack.services import s3
from ministack.services.cloudformation import provisioners

BUCKET = provisioners._RESOURCE_HANDLERS["AWS::S3::Bucket"]
lenient = BUCKET["delete"]


def delete_if_empty(physical_id, props):
    bucket = s3._buckets.get(physical_id)
    if bucket is not None and bucket["objects"]:
        raise ValueError(f"The bucket {physical_id} is not empty: it has {len(bucket['objects'])} objects")
    lenient(physical_id, props)


BUCKET["delete"] = delete_if_empty
sys.exit(main())
