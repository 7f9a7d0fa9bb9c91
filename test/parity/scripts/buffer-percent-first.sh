# fresh
cat buffer_percent
