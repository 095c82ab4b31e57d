import { expectType } from './expectType';

declare const anything: any; // eslint-disable-line @typescript-eslint/no-explicit-any -- the subject of this test
declare const text: string;
declare const optional: { a?: string };

expectType<string>()(text);

// @ts-expect-error A wider type is not the same.
expectType<string | number>()(text);
// @ts-expect-error Neither is a narrower one.
expectType<'a'>()(text);
// @ts-expect-error `any` is the same as nothing but `any`.
expectType<string>()(anything);
// @ts-expect-error A field that may be absent is not one that is undefined.
expectType<{ a: string | undefined }>()(optional);
