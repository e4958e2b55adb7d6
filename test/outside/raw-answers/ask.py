"""POSTs to <origin>/<n> for each n below <count>, and prints one verdict a line."""
import http.client
import sys

host, count = sys.argv[1].removeprefix("http://"), int(sys.argv[2])
for n in range(count):
    connection = http.client.HTTPConnection(host, timeout=2)
    try:
        connection.request("POST", f"/{n}", body=b"x")
        answer = connection.getresponse()
    except Exception:
        print("refused")
        continue
    try:
        print(f"{answer.status}, {len(answer.read())} bytes")
    except Exception:
        print(f"{answer.status}, cut")
    finally:
        connection.close()
