/**
 * State of a page that is stored in its address. Quick successive changes build on each other. The router's own update
 * starts from the last rendered state, so on a slow machine the second change would undo the first.
 */
import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';

type Change = (before: URLSearchParams) => URLSearchParams;

export const useAddress = (): readonly [URLSearchParams, (change: Change) => void] => {
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
  (name: string, value: string): Change =>
  (before) => {
    const next = new URLSearchParams(before);
    next.set(name, value);
    return next;
  };

export const without =
  (name: string): Change =>
  (before) => {
    const next = new URLSearchParams(before);
    next.delete(name);
    return next;
  };
