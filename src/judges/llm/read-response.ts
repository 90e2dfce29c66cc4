/**
 * A `Response` whose body has been read already. The built-in class wraps a body in a stream and reads it back, which
 * takes more processor time than all else that is done with a reply (`npm run bench:overhead`).
 */
export class ReadResponse implements Response {
  readonly headers: Headers;
  readonly status: number;
  readonly statusText = '';
  readonly redirected = false;
  readonly type = 'default';
  readonly url = '';
  /** Never a stream: there is nothing left to read or to cancel. */
  readonly body = null;
  readonly bodyUsed = false;
  readonly #text: string;

  constructor(text: string, status: number, headers: Headers) {
    this.#text = text;
    this.status = status;
    this.headers = headers;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  text(): Promise<string> {
    return Promise.resolve(this.#text);
  }

  /** Rejects with a `SyntaxError` where the body is no JSON. */
  async json(): Promise<unknown> {
    return JSON.parse(this.#text);
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new TextEncoder().encode(this.#text);
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this.bytes()).buffer;
  }

  async blob(): Promise<Blob> {
    return new Blob([this.#text], { type: this.headers.get('content-type') ?? '' });
  }

  formData(): Promise<FormData> {
    return new Response(this.#text, { headers: this.headers }).formData();
  }

  clone(): ReadResponse {
    return new ReadResponse(this.#text, this.status, this.headers);
  }
}
