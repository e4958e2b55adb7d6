/**
 * State of a page that is stored in the page's address. Each change starts from the result of the previous change. The
 * router's own update starts from the last rendered state, so on a slow machine a second quick change would undo the
 * first change.
 */
import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';

type AddressChange = (before: URLSearchParams) => URLSearchParams;

export const useAddress = (): readonly [URLSearchParams, (change: AddressChange) => void] => {
  const [address, setAddress] = useSearchParams();
  const latest = useRef(address);
  useEffect(() => {
    latest.current = address;
  }, [address]);
  return [
    address,
    (change) => {
      latest.current = change(latest.current);
      setAddress(latest.current);
    },
  ];
};

export const withValue =
  (name: string, value: string): AddressChange =>
  (before) => {
    const next = new URLSearchParams(before);
    next.set(name, value);
    return next;
  };

export const without =
  (name: string): AddressChange =>
  (before) => {
    const next = new URLSearchParams(before);
    next.delete(name);
    return next;
  };
