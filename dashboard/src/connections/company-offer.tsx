/** Offers to name the company of a new connection from the RUT that the person typed, and says what will be shown. */
import { Alert, Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api, must } from '../api/client.ts';
import type { FormValues } from '../form/schema-form.tsx';
import { dottedRut } from '../text/rut.ts';
import { connectionTexts } from './texts.ts';
import { findTypedRut } from './typed-rut.ts';

/** Name of the company in another connection; null if there is no such name, or the API does not answer. */
const findCompanyName = async (rut: string): Promise<string | null> => {
  const query = { company_rut: rut, limit: 1 };
  const found = await must(api.GET('/connections', { params: { query } })).catch(() => null);
  const name = found?.data[0]?.metadata.company_name;
  return typeof name === 'string' ? name : null;
};

interface CompanyOfferProps {
  credentials: FormValues;
  metadata: FormValues;
  /** Name of the new connection, if no other connection names the company. */
  name: string;
  onUse: (company: { company_rut: string; company_name?: string }) => void;
}

export const CompanyOffer = ({ credentials, metadata, name, onUse }: CompanyOfferProps) => {
  const say = connectionTexts.useTexts();
  const rut = findTypedRut(credentials);
  const use = useMutation({
    mutationFn: findCompanyName,
    onSuccess: (known, used) => {
      const companyName = known ?? name.trim();
      onUse({ company_rut: used, ...(companyName === '' ? {} : { company_name: companyName }) });
    },
  });
  const given = typeof metadata.company_rut === 'string' ? dottedRut(metadata.company_rut) : undefined;
  if (rut === undefined || given === rut) return null;
  return (
    <Alert color="blue" variant="light">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{say('create.company.offer', { rut })}</Text>
        <Button size="xs" variant="default" loading={use.isPending} onClick={() => use.mutate(rut)}>
          {say('create.company.use', { rut })}
        </Button>
      </Stack>
    </Alert>
  );
};
