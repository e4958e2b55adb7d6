/**
 * The state that a page keeps in its address. Changes that follow each other quickly build on one another: the router's
 * own update starts from what was last drawn, so that on a busy machine the second of two would undo the first.
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
